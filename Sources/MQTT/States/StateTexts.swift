import Beacon
import Content
import Events
import FleetFormat
import Health
import Ranging
import Settings
import Text

/// The payloads of retained messages.
struct StateTexts: Sendable {
    private let names: Names
    private let place: FleetPlace?
    private let version: String

    /// - Parameter place: the position of the scanner; nil if it is in no fleet.
    init(names: Names, place: FleetPlace? = nil, version: String = "") {
        self.names = names
        self.place = place
        self.version = version
    }

    /// `{"time":…,"nearest":{"uuid",…}|null,"label":"Lobby"}`
    ///
    /// - Parameter time: when the beacon became the nearest.
    func nearest(_ beacon: BeaconID?, since time: Timestamp) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", time.rfc3339)
            if let beacon {
                json.object("nearest") { $0.identity(beacon, name: names.given(beacon)) }
            } else {
                json.value("nearest", String?.none)
            }
            json.value("label", beacon.map(label) ?? "none")
        }
        return json.text
    }

    /// The same keys as in a ranking.
    func ranging(_ beacon: RangedBeacon, at time: Timestamp) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", time.rfc3339)
            json.ranged(beacon, name: names.given(beacon.id))
        }
        return json.text
    }

    /// `{"uuid","major","minor","name"?,"state":"ok|problem","problems":[{"kind","since","evidence"}…]}`
    func health(_ health: BeaconHealth) -> String {
        var json = JSONText()
        json.object { json in
            json.identity(health.beacon, name: names.given(health.beacon))
            json.value("state", health.problems.isEmpty ? "ok" : "problem")
            json.problems(of: health)
        }
        return json.text
    }

    /// `{"region":"Hall","state":"inside|outside","since":…|null}`. `since` is when the first beacon entered.
    func region(_ state: RegionState) -> String {
        var json = JSONText()
        json.object { json in
            json.value("region", state.region.identifier)
            json.value("state", state.isInside ? "inside" : "outside")
            json.value("since", state.since?.rfc3339)
        }
        return json.text
    }

    /// `{"time":…,"scanner":"ok|blind","sources":[{"source","state","detail","since"}…]}`. In a fleet also `room`,
    /// `floor`, `x` and `y` (metres or null), `version`, `revision` of the content site (or null), `beacon`, which the
    /// scanner sends (or null), `blind_since` (or null), `clock_ms` (the correction of this machine's clock, or null),
    /// and `clock_synchronised` (or null).
    func scanner(
        _ snapshot: EventHub.Snapshot, blindSince: Timestamp? = nil, clock: FleetClock.State = .init(),
        at time: Timestamp
    ) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", time.rfc3339)
            json.scanner(snapshot)
            guard let place else { return }
            json.value("room", place.room)
            json.value("floor", place.floor)
            json.value("x", place.position?.first, digits: 2)
            json.value("y", place.position?.last, digits: 2)
            json.value("version", version)
            json.value("revision", snapshot.site.revision.map(Int.init))
            json.value("beacon", place.beacon?.description)
            json.value("blind_since", blindSince?.rfc3339)
            json.value("clock_ms", clock.milliseconds)
            json.truth("clock_synchronised", clock.isSynchronised)
        }
        return json.text
    }

    /// The state of this client itself: `{"version","started","connected","events_waiting","events_dropped"}`.
    func details(
        version: String, started: Timestamp, connected: Timestamp, waiting: Int, dropped: Int
    ) -> String {
        var json = JSONText()
        json.object { json in
            json.value("version", version)
            json.value("started", started.rfc3339)
            json.value("connected", connected.rfc3339)
            json.value("events_waiting", waiting)
            json.value("events_dropped", dropped)
        }
        return json.text
    }

    /// The label of a beacon in a state that is one short text: Home Assistant accepts 255 characters.
    func label(_ beacon: BeaconID) -> String {
        String(names[beacon].unicodeScalars.prefix(200).map(Character.init))
    }
}
