package import Beacon
package import FleetFormat
package import Rooms

/// What each scanner of the fleet says of itself, and when it was last heard of. A plain value.
package struct FleetScanners: Sendable {
    /// Seconds without a message after which a scanner counts as gone.
    package static let silence = 10.0

    private struct Entry {
        var message: ScannerMessage
        /// By the own clock.
        var lastHeard: Double
        var isBlind: Bool
        /// As it stands in its levels.
        var clock: Int?
        var hasLeft = false
        var told: (state: FleetScanner.State, since: Timestamp)?
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    /// A scanner's retained state; nil where it was removed. One without a room is none of the fleet.
    package mutating func take(_ message: ScannerMessage?, of host: String, at now: Double) {
        guard let message, message.place != nil else {
            entries[host] = nil
            return
        }
        guard entries[host] != nil || entries.count < RoomMap.mostScanners else { return }
        entries[host, default: Entry(message: message, lastHeard: now, isBlind: message.isBlind)].message = message
        entries[host]?.isBlind = message.isBlind
    }

    /// It has told what it receives.
    ///
    /// - Parameter clock: milliseconds by which its clock is corrected; nil where it does not say it.
    package mutating func hear(_ host: String, isBlind: Bool, clock: Int? = nil, at now: Double) {
        entries[host]?.lastHeard = now
        entries[host]?.isBlind = isBlind
        entries[host]?.clock = clock
        entries[host]?.hasLeft = false
    }

    /// A new connection: what was not told while there was none says nothing.
    package mutating func connect(at now: Double) {
        for host in entries.keys { entries[host]?.lastHeard = now }
    }

    /// It says that it ends, or the broker has lost it.
    package mutating func leave(_ host: String) { entries[host]?.hasLeft = true }

    /// The scanners for which another program publishes.
    func nodes(of bridge: String) -> [String] {
        entries.filter { $0.value.message.bridge == bridge }.keys.sorted()
    }

    /// All scanners, by name.
    ///
    /// - Parameters:
    ///   - now: by the own clock.
    ///   - time: what new states have as their beginning.
    ///   - tallies: how their messages come, by name.
    package mutating func states(
        at now: Double, time: Timestamp, tallies: [String: SecondBarrier.Tally] = [:]
    ) -> [FleetScanner] {
        entries.keys.sorted().compactMap { host -> FleetScanner? in
            guard let entry = entries[host], let place = entry.message.place else { return nil }
            let state: FleetScanner.State =
                entry.hasLeft || now - entry.lastHeard > Self.silence ? .gone : entry.isBlind ? .blind : .ok
            let told = entry.told.flatMap { $0.state == state ? $0 : nil } ?? (state: state, since: time)
            entries[host]?.told = told
            return FleetScanner(
                place: place, state: state, since: told.since, version: entry.message.version,
                revision: entry.message.revision, isSynchronised: entry.message.isSynchronised,
                hearing: hearing(entry, tallies[host]))
        }
    }

    /// How each scanner is heard, by name.
    func hearings(_ tallies: [String: SecondBarrier.Tally]) -> [String: HearingMessage.Scanner] {
        entries.reduce(into: [:]) { $0[$1.key] = hearing($1.value, tallies[$1.key]) }
    }

    /// Whether something keeps a scanner's clock right; nil where it does not say it.
    func isSynchronised(_ host: String) -> Bool? { entries[host]?.message.isSynchronised }

    private func hearing(_ entry: Entry, _ tally: SecondBarrier.Tally?) -> HearingMessage.Scanner {
        HearingMessage.Scanner(
            second: tally?.second, clock: entry.clock ?? entry.message.clock, late: tally?.late ?? 0,
            ahead: tally?.ahead ?? 0, dropped: tally?.dropped ?? 0)
    }
}
