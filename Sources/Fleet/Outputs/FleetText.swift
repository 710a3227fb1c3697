package import Beacon
import FleetFormat
package import Health
package import Rooms
package import Text

/// Rooms, scanners and events in the documented JSON, shared by all outputs.
package struct FleetText: Sendable {
    private let names: KnownBeacons

    package init(names: KnownBeacons = KnownBeacons()) {
        self.names = names
    }

    package func write(_ answer: RoomAnswer, into json: inout JSONText) {
        json.identity(answer.beacon, name: names.name(of: answer.beacon))
        json.room(of: answer)
    }

    package func write(_ scanner: FleetScanner, into json: inout JSONText) {
        json.value("scanner", scanner.place.scanner)
        json.value("state", scanner.state.rawValue)
        json.value("since", scanner.since.rfc3339)
        json.value("room", scanner.place.room)
        json.value("floor", scanner.place.floor)
        json.value("x", scanner.place.position?.x, digits: 2)
        json.value("y", scanner.place.position?.y, digits: 2)
        json.value("version", scanner.version)
        json.value("revision", scanner.revision.map { Int(clamping: $0) })
        json.value("clock_ms", scanner.clock)
    }

    /// `{"time","beacons":[…]}`: those of these beacons.
    package func health(_ beacons: some Sequence<BeaconHealth>, of snapshot: FleetSnapshot) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", snapshot.time.rfc3339)
            json.array("beacons") { json in
                for health in beacons {
                    json.object { json in
                        json.identity(health.beacon, name: names.name(of: health.beacon))
                        json.health(of: health)
                    }
                }
            }
        }
        return json.text
    }

    /// One object, without a line end.
    package func json(_ record: FleetRecord) -> String {
        var json = JSONText()
        json.object { json in
            json.value("id", Int(clamping: record.id))
            json.value("time", record.time.rfc3339)
            json.value("event", record.event.kind)
            switch record.event {
            case .room(let answer, let previous):
                write(answer, into: &json)
                if let previous {
                    json.object("previous") { json in
                        json.value("room", previous.name)
                        json.value("floor", previous.floor)
                    }
                } else {
                    json.value("previous", String?.none)
                }
            case .scanner(let scanner, let previous):
                write(scanner, into: &json)
                json.value("previous", previous?.rawValue)
            }
        }
        return json.text
    }

    /// `{"time","second","connected","answering","rooms":[…]}`.
    package func rooms(_ rooms: some Sequence<RoomAnswer>, of snapshot: FleetSnapshot) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", snapshot.time.rfc3339)
            json.value("second", snapshot.second.map(rfc3339(second:)))
            json.value("connected", snapshot.isConnected)
            json.value("answering", snapshot.isAnswering)
            json.array("rooms") { json in
                for answer in rooms { json.object { write(answer, into: &$0) } }
            }
        }
        return json.text
    }

    /// `{"time","scanners":[…]}`.
    package func scanners(of snapshot: FleetSnapshot) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", snapshot.time.rfc3339)
            json.array("scanners") { json in
                for scanner in snapshot.scanners { json.object { write(scanner, into: &$0) } }
            }
        }
        return json.text
    }
}
