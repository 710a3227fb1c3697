package import Text

/// A scanner's question about the fleet's clock, on `{prefix}/{host}/clock`: `{"asked":1767225600123456}`. All times
/// are microseconds since 1970.
package struct ClockQuestion: Hashable, Sendable {
    /// Bytes. A larger message is not from this project.
    package static let mostBytes = 1 << 10

    /// The scanner's clock. The answer repeats it.
    package var asked: Int64

    package init(asked: Int64) {
        self.asked = asked
    }

    package var json: String { #"{"asked":\#(asked)}"# }

    /// - Throws: `FleetMessageError` for what is no such message.
    package init(json: [UInt8]) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        asked = try FleetMessageError.decode(Wire.self, json, as: "question about the clock").asked
    }

    private struct Wire: Decodable {
        var asked: Int64
    }
}

/// A resolver's answer, on `{prefix}/{host}/clock/answer`:
///
///     {"asked":1767225600123456,"received":…,"sent":…,"resolver":"hall","synchronised":true}
package struct ClockAnswer: Hashable, Sendable {
    package static let mostBytes = 1 << 10

    package var asked: Int64
    /// The resolver's clock when the question arrived, and when the answer was sent.
    package var received: Int64
    package var sent: Int64
    package var resolver: String
    /// Whether the resolver's clock is synchronised; nil if unknown.
    package var isSynchronised: Bool?

    package init(asked: Int64, received: Int64, sent: Int64, resolver: String, isSynchronised: Bool?) {
        self.asked = asked
        self.received = received
        self.sent = sent
        self.resolver = resolver
        self.isSynchronised = isSynchronised
    }

    package var json: String {
        var json = JSONText()
        json.object { json in
            json.value("asked", Int(asked))
            json.value("received", Int(received))
            json.value("sent", Int(sent))
            json.value("resolver", resolver)
            json.truth("synchronised", isSynchronised)
        }
        return json.text
    }

    /// - Throws: `FleetMessageError` for what is no such message.
    package init(json: [UInt8]) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "answer about the clock")
        guard [wire.received, wire.sent].allSatisfy(Self.times.contains), wire.sent >= wire.received else {
            throw FleetMessageError("has impossible times")
        }
        self.init(
            asked: wire.asked, received: wire.received, sent: wire.sent,
            resolver: String(wire.resolver.unicodeScalars.prefix(64)), isSynchronised: wire.synchronised)
    }

    /// Up to the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999_999

    private struct Wire: Decodable {
        var asked: Int64
        var received: Int64
        var sent: Int64
        var resolver: String
        var synchronised: Bool?
    }
}

extension JSONText {
    /// True, false, or null if unknown.
    package mutating func truth(_ key: String, _ value: Bool?) {
        raw(key, value.map { $0 ? "true" : "false" } ?? "null")
    }
}
