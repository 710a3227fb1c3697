import Foundation
import TestSupport
import Testing

@Suite(
    "Scanners whose clocks are wrong", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"),
    .enabled(if: ClockShift.library != nil, "\(ClockShift.missing)"), .timeLimit(.minutes(10)))
struct ClockTests {
    /// Whether a correction in milliseconds is right, however busy the machine is.
    ///
    /// A round trip of more than 5 s is ignored, so that a measurement is wrong by 2.5 s at most. A correction is kept
    /// while it differs from that by about as much. `ClockOffsetTests` show how exact it is with shorter trips.
    private static func isRight(_ correction: Int?, _ expected: Int) -> Bool {
        correction.map { abs($0 - expected) < 6000 } ?? false
    }

    @Test("clocks that are 20 s apart are corrected: rooms are right from both resolvers, and people are told")
    func apart() async throws {
        let hall = try FleetHall()
        let broker = try await hall.broker.start()
        let subscriber = try hall.broker.subscriber("beacond/#")
        let resolvers = try [hall.resolver("one"), hall.resolver("two")]
        let scanners = try [hall.scanner(1, visits: [0], ahead: 10), hall.scanner(2, visits: [20], ahead: -10)]
        try await subscriber.waitUntil("each beacon is in the room of the scanner beside it", within: .seconds(300)) {
            FleetHall.room(of: 1, $0.lines) == "Hall 1" && FleetHall.room(of: 2, $0.lines) == "Hall 2"
        }
        try await subscriber.waitUntil("each scanner says how its clock is") {
            Self.isRight(FleetHall.correction(of: "pi-1", $0.lines), -10_000)
                && Self.isRight(FleetHall.correction(of: "pi-2", $0.lines), 10_000)
        }
        // Every message of levels, from the first: nobody was heard at a wrong time.
        func told(_ scanner: String, _ lines: [String]) -> [Int] {
            lines.filter { $0.contains("beacond/\(scanner)/levels ") }.compactMap(FleetHall.correction)
        }
        try await subscriber.waitUntil("each has told of some seconds") { subscriber in
            ["pi-1", "pi-2"].allSatisfy { told($0, subscriber.lines).count > 2 }
        }
        let (first, second) = (told("pi-1", subscriber.lines), told("pi-2", subscriber.lines))
        #expect(first.allSatisfy { Self.isRight($0, -10_000) }, "\(first)")
        #expect(second.allSatisfy { Self.isRight($0, 10_000) }, "\(second)")
        try await subscriber.waitUntil("the resolver says how it hears them") {
            $0.lines.contains { $0.contains("fleet/resolvers/one/scanners ") && $0.contains(#""clock_ms":-"#) }
        }
        let heard = try #require(subscriber.lines.last { $0.contains("fleet/resolvers/one/scanners ") })
        // By a wrong clock all that one of them tells would be late.
        let some = max(5, (told("pi-1", subscriber.lines) + told("pi-2", subscriber.lines)).count / 8)
        for match in heard.matches(of: #/"late":([0-9]+)/#) { #expect((Int(match.1) ?? .max) < some, "\(heard)") }
        let list = try await FleetHall.listing(
            ["--mqtt", "mqtt://127.0.0.1:\(hall.broker.port)", "--format", "csv"], until: { $0.lines.count == 3 })
        #expect(list.status == 0, "\(list.errors)")
        #expect(list.lines.first?.hasPrefix("scanner,state,room,floor,") == true)
        #expect(list.lines.dropFirst().map { $0.prefix(10) } == ["pi-1,ok,Hal", "pi-2,ok,Hal"].map { $0.prefix(10) })
        for scanner in scanners { _ = try await scanner.stop() }
        for resolver in resolvers { _ = try await resolver.stop() }
        _ = try await broker.stop()
    }

    @Test("a resolver that comes later is followed, and no second is told twice")
    func resolverComesBack() async throws {
        let hall = try FleetHall()
        let broker = try await hall.broker.start()
        let subscriber = try hall.broker.subscriber("beacond/+/levels")
        let scanner = try hall.scanner(1, visits: [0])
        // Without a resolver nobody knows the fleet's time.
        try await subscriber.waitUntil("levels come without a correction") {
            $0.lines.contains { $0.contains(#""clock_ms":null"#) }
        }
        let resolver = try hall.resolver("one", ahead: 30)
        try await subscriber.waitUntil("levels are corrected by the resolver's clock") {
            Self.isRight($0.lines.last.flatMap(FleetHall.correction), 30_000)
        }
        let seconds = subscriber.lines.compactMap(FleetHall.correctedSecond)
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 }, "\(seconds)")
        _ = try await scanner.stop()
        _ = try await resolver.stop()
        _ = try await broker.stop()
    }
}
