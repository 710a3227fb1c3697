import Beacon
import FleetFormat
package import Rooms
import Text

/// A beacon's room in the formats of the outputs.
package enum RoomAnswerText {
    package static let csvHeading = "time,uuid,major,minor,room,floor,probability,since,unknown,x,y,within"

    /// A row of CSV. Unknown fields are empty.
    ///
    /// - Parameter second: of the answer, since 1970.
    package static func csv(_ answer: RoomAnswer, second: Int64) -> String {
        let id = answer.beacon
        return [
            rfc3339(second: second), "\(id.uuid)", "\(id.major)", "\(id.minor)", csvField(answer.room?.name ?? ""),
            answer.room.map { "\($0.floor)" } ?? "", answer.room == nil ? "" : fixed(answer.probability, digits: 2),
            rfc3339(second: answer.since), answer.unknown?.rawValue ?? "",
            metres(answer.spot?.position.x), metres(answer.spot?.position.y), metres(answer.spot?.within),
        ].joined(separator: ",")
    }

    private static func metres(_ value: Double?) -> String { value.map { fixed($0, digits: 1) } ?? "" }

    package static func json(_ answer: RoomAnswer, second: Int64, name: String? = nil) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", rfc3339(second: second))
            json.identity(answer.beacon, name: name)
            json.room(of: answer)
        }
        return json.text
    }

    /// A line for people.
    package static func line(_ answer: RoomAnswer, second: Int64, label: String) -> String {
        let place = answer.room.map { "\($0.name)  \(Int((answer.probability * 100).rounded())) %" }
            ?? "unknown: \(answer.unknown?.rawValue ?? RoomAnswer.Unknown.undecided.rawValue)"
        return "\(rfc3339(second: second))  \(label)  \(place)"
    }
}
