import Beacon
package import Text

extension JSONText {
    /// Whether the scanner is blind, and the state of its sources: the keys `scanner` and `sources` in every documented
    /// format.
    package mutating func scanner(_ snapshot: EventHub.Snapshot) {
        value("scanner", snapshot.isBlind ? "blind" : "ok")
        array("sources") { json in
            for source in snapshot.sources {
                json.object { json in
                    json.value("source", source.source)
                    json.value("state", source.state.rawValue)
                    json.value("detail", source.detail)
                    json.value("since", source.since.rfc3339)
                }
            }
        }
    }

    /// The parts of the daemon that do not work now: the key `parts`.
    package mutating func parts(_ snapshot: EventHub.Snapshot) {
        array("parts") { json in
            for part in snapshot.failing {
                json.object { json in
                    json.value("part", part.part)
                    json.value("state", "failed")
                    json.value("problem", part.problem)
                    json.value("since", part.since.rfc3339)
                }
            }
        }
    }
}
