import Beacon
package import Rooms
package import Text

extension JSONText {
    /// The keys of a room in every documented format: `room`, `floor`, `probability`, `since`, `x`, `y` and `within`
    /// (metres; the beacon is within that distance with 90 % probability), and `unknown` if there is no room.
    package mutating func room(of answer: RoomAnswer) {
        value("room", answer.room?.name)
        value("floor", answer.room?.floor)
        value("probability", answer.room == nil ? nil : answer.probability, digits: 2)
        value("since", rfc3339(second: answer.since))
        value("x", answer.spot?.position.x, digits: 1)
        value("y", answer.spot?.position.y, digits: 1)
        value("within", answer.spot?.within, digits: 1)
        if let unknown = answer.unknown { value("unknown", unknown.rawValue) }
    }
}

/// A second since 1970, in RFC 3339.
package func rfc3339(second: Int64) -> String { Timestamp(seconds: Double(second)).rfc3339 }
