package import Beacon
package import Bus
import Content
package import Events
import Health
import Ranging

/// The daemon's state as values for the bus.
package struct BusValues: Sendable {
    private let names: Names
    private let version: String

    package init(names: Names, version: String) {
        self.names = names
        self.version = version
    }

    /// The most beacons in a property or an answer, because anybody can send any number of identities.
    package static let mostBeacons = 500

    /// The property `Beacons`, and what it is made from.
    struct Present: Sendable {
        fileprivate struct Beacon: Hashable, Sendable {
            var id: BeaconID
            var name: String?
        }

        fileprivate let beacons: [Beacon]
        fileprivate let value: BusValue
    }

    /// The beacons that are present, by identity: the nearest ones, if there are too many.
    ///
    /// - Parameter last: used again if it is about the same beacons. Most rankings are.
    func present(_ snapshot: EventHub.Snapshot, last: Present? = nil) -> Present {
        let nearest = (snapshot.ranking?.beacons ?? []).prefix(Self.mostBeacons)
        let beacons = nearest.map(\.id).sorted().map { Present.Beacon(id: $0, name: names.given($0)) }
        if let last, last.beacons == beacons { return last }
        return Present(
            beacons: beacons,
            value: .array(beacons.map { .properties(identity($0.id, name: $0.name)) }, of: "a{sv}"))
    }

    /// All properties by name.
    package func properties(_ snapshot: EventHub.Snapshot) -> [String: BusValue] {
        properties(snapshot, present(snapshot))
    }

    func properties(_ snapshot: EventHub.Snapshot, _ present: Present) -> [String: BusValue] {
        [
            "Version": .string(version),
            "Scanner": scanner(snapshot.isBlind),
            "Sources": .array(
                snapshot.sources.map { source in
                    .structure([text(source.source), text(source.state.rawValue), text(source.detail)])
                }, of: "(sss)"),
            "Nearest": beacon(snapshot.ranking?.nearest),
            "Beacons": present.value,
            "ContentState": text(contentState(snapshot.content)),
            "Unhealthy": .array(unhealthy(snapshot.health.beacons), of: "a{sv}"),
        ]
    }

    /// The answer to `GetRanging`, with the nearest beacons if there are too many; `time` in microseconds since the
    /// epoch, 0 before the first ranking.
    package func ranging(_ snapshot: EventHub.Snapshot) -> [BusValue] {
        let ranking = snapshot.ranking
        return [
            .int64(ranking?.time.microseconds ?? 0), scanner(snapshot.isBlind), beacon(ranking?.nearest),
            .array((ranking?.beacons ?? []).prefix(Self.mostBeacons).map(ranged), of: "a{sv}"),
        ]
    }

    /// Empty for nil.
    package func beacon(_ id: BeaconID?) -> BusValue {
        .properties(id.map(identity) ?? [:])
    }

    private func identity(_ id: BeaconID) -> [String: BusValue] {
        identity(id, name: names.given(id))
    }

    private func identity(_ id: BeaconID, name: String?) -> [String: BusValue] {
        var values: [String: BusValue] = [
            "uuid": .string(id.uuid.description), "major": .uint16(id.major), "minor": .uint16(id.minor),
        ]
        if let name { values["name"] = text(name) }
        return values
    }

    /// The keys of `beaconctl range --format json`; unknown values are omitted.
    private func ranged(_ beacon: RangedBeacon) -> BusValue {
        var values = identity(beacon.id)
        values["rank"] = .uint32(UInt32(clamping: beacon.rank))
        values["rssi"] = beacon.rssi.map { .int16(Int16($0)) }
        values["rssi_filtered"] = beacon.filteredRSSI.map { .double($0) }
        values["measured_power"] = .int16(Int16(beacon.measuredPower))
        values["distance_m"] = beacon.distance.map { .double($0.metres) }
        values["distance_low_m"] = beacon.distance.map { .double($0.low) }
        values["distance_high_m"] = beacon.distance.map { .double($0.high) }
        values["proximity"] = .string(beacon.proximity.rawValue)
        values["last_seen"] = .int64(beacon.lastSeen.microseconds)
        values["count"] = .uint64(UInt64(clamping: beacon.count))
        return .properties(values)
    }

    private func scanner(_ isBlind: Bool) -> BusValue { .string(isBlind ? "blind" : "ok") }

    private func contentState(_ event: ContentEvent?) -> String {
        switch event {
        case nil: "none"
        case .started, .progress, .recovered: "started"
        case .ready: "ready"
        case .nothing: "nothing"
        case .failed: "failed"
        case .waiting: "waiting"
        }
    }

    /// The beacons with problems. Each has `problems`, a dictionary from the kind to the evidence.
    private func unhealthy(_ health: [BeaconHealth]) -> [BusValue] {
        health.filter { !$0.problems.isEmpty }.prefix(Self.mostBeacons).map { health in
            var values = identity(health.beacon)
            values["problems"] = .properties(
                Dictionary(health.problems.map { ($0.kind.rawValue, text($0.evidence)) }) { first, _ in first })
            return .properties(values)
        }
    }

    /// D-Bus strings cannot contain a zero byte.
    func text(_ text: String) -> BusValue { .string(text.replacing("\0", with: "")) }
}
