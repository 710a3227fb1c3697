import Beacon
import Rooms
import Text

/// How a resolver receives the scanners' messages, retained on `{prefix}/fleet/resolvers/{name}/scanners` once a
/// minute:
///
///     {"time":"…","scanners":{"pi-1":{"second":1767225600,"clock_ms":-12,"late":0,"ahead":0,"dropped":0}}}
package struct HearingMessage: Hashable, Sendable {
    package static let mostBytes = 256 << 10

    package struct Scanner: Hashable, Sendable {
        /// The newest second that the scanner reported, by the fleet's clock; nil if it reported none.
        package var second: Int64?
        /// Milliseconds by which its clock is corrected; nil if unknown.
        package var clock: Int?
        /// Messages that came too late to count, or were too far ahead, and seconds that were dropped because too many
        /// waited. All since the resolver was started.
        package var late = 0
        package var ahead = 0
        package var dropped = 0

        package init(second: Int64?, clock: Int?, late: Int = 0, ahead: Int = 0, dropped: Int = 0) {
            self.second = second
            self.clock = clock
            self.late = late
            self.ahead = ahead
            self.dropped = dropped
        }
    }

    /// The second that was resolved last.
    package var second: Int64
    package var scanners: [String: Scanner]

    package init(second: Int64, scanners: [String: Scanner]) {
        self.second = second
        self.scanners = scanners
    }

    package var json: String {
        var json = JSONText()
        json.object { json in
            json.value("time", rfc3339(second: second))
            json.object("scanners") { json in
                for (name, scanner) in scanners.sorted(by: { $0.key < $1.key }) {
                    json.object(name) { json in
                        json.value("second", scanner.second.map { Int($0) })
                        json.value("clock_ms", scanner.clock)
                        json.value("late", scanner.late)
                        json.value("ahead", scanner.ahead)
                        json.value("dropped", scanner.dropped)
                    }
                }
            }
        }
        return json.text
    }

    /// - Throws: `FleetMessageError` if it is not such a message.
    package init(json: [UInt8]) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "state of a resolver")
        guard let time = Timestamp(rfc3339: wire.time) else { throw FleetMessageError("has no time") }
        second = Int64(time.seconds.rounded(.down))
        let known = wire.scanners.sorted { $0.key < $1.key }.prefix(SecondBarrier.mostScanners)
        scanners = Dictionary(
            known.map { name, scanner in
                (
                    name,
                    Scanner(
                        second: scanner.second.flatMap { SecondBarrier.seconds.contains($0) ? $0 : nil },
                        clock: scanner.clock_ms.flatMap { LevelsMessage.corrections.contains($0) ? $0 : nil },
                        late: Self.count(scanner.late), ahead: Self.count(scanner.ahead),
                        dropped: Self.count(scanner.dropped))
                )
            }
        ) { first, _ in first }
    }

    /// Limited, so that three such numbers can be added whatever somebody publishes.
    private static func count(_ number: Int) -> Int { max(0, min(1_000_000_000, number)) }

    private struct Wire: Decodable {
        struct Scanner: Decodable {
            var second: Int64?
            var clock_ms: Int?
            var late: Int
            var ahead: Int
            var dropped: Int
        }

        var time: String
        var scanners: [String: Scanner]
    }
}
