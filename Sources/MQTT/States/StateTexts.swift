package import Beacon
package import Events
package import Ranging
import Text

/// The payloads of retained messages.
package struct StateTexts: Sendable {
    private let names: Names

    package init(names: Names) {
        self.names = names
    }

    /// `{"time":…,"nearest":{"uuid",…}|null,"label":"Lobby"}`
    ///
    /// - Parameter time: when it became the nearest.
    package func nearest(_ beacon: BeaconID?, since time: Timestamp) -> String {
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
    package func ranging(_ beacon: RangedBeacon, at time: Timestamp) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", time.rfc3339)
            json.ranged(beacon, name: names.given(beacon.id))
        }
        return json.text
    }

    /// `{"time":…,"scanner":"ok|blind","sources":[{"source","state","detail","since"}…]}`
    package func scanner(_ snapshot: EventHub.Snapshot, at time: Timestamp) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", time.rfc3339)
            json.scanner(snapshot)
        }
        return json.text
    }

    /// About this client itself: `{"version","started","connected","waiting","dropped"}`.
    package func details(
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
