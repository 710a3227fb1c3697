package import Beacon

/// An instant in the form of documents and the API: RFC 3339, in UTC.
package struct Moment: Hashable, Sendable, Comparable {
    package var time: Timestamp

    package init(_ time: Timestamp) {
        self.time = time
    }

    package static func < (left: Self, right: Self) -> Bool { left.time < right.time }
}

extension Moment: LosslessStringConvertible {
    /// Reads RFC 3339; nil for anything else.
    package init?(_ text: String) {
        guard let time = Timestamp(rfc3339: text) else { return nil }
        self.init(time)
    }

    package var description: String { time.rfc3339 }
}

extension Moment: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = Moment(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a time such as 2026-05-01T08:00:00Z is needed")
        }
        self = moment
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
