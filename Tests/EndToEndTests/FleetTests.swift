import Foundation
import TestSupport
import Testing

@Suite(
    "Rooms at a broker, by several daemons", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(6)))
struct FleetTests {
    @Test("follow a beacon, survive the kill of a resolver, and are unknown where the scanner is killed")
    func rooms() async throws {
        let hall = try Hall()
        let broker = try await hall.broker.start()
        let subscriber = try hall.broker.subscriber("beacond/rooms/#", "beacond/fleet/resolvers/#")
        var scanners = try [hall.scanner(1, visits: [0, 20]), hall.scanner(2, visits: [20, 0])]
        let first = try hall.resolver("one")
        try await subscriber.waitUntil("each beacon is in the room of the scanner beside it", within: .seconds(60)) {
            Self.room(of: 1, $0.lines) == "Hall 1" && Self.room(of: 2, $0.lines) == "Hall 2"
        }

        // The second learns beside the first, and goes on where that is killed. Each tells of the other room in its turn.
        let second = try hall.resolver("two")
        try await subscriber.waitUntil("the second is there") { $0.lines.contains { $0.hasSuffix("resolvers/two learning") } }
        try await subscriber.waitUntil("the first has told of the change", within: .seconds(90)) {
            Self.room(of: 1, $0.lines) == "Hall 2" && Self.room(of: 2, $0.lines) == "Hall 1"
        }
        _ = try await first.stop(with: SIGKILL)
        try await subscriber.waitUntil("the second goes on", within: .seconds(60)) {
            $0.lines.contains { $0.hasSuffix("resolvers/two answering") }
        }
        try await subscriber.waitUntil("it has told of the way back", within: .seconds(90)) {
            Self.room(of: 1, $0.lines) == "Hall 1" && Self.room(of: 2, $0.lines) == "Hall 2"
        }

        for scanner in scanners { _ = try await scanner.stop(with: SIGKILL) }
        try await subscriber.waitUntil("nobody can hear them", within: .seconds(60)) {
            [1, 2].allSatisfy { [lines = $0.lines] in Self.answer(of: $0, lines)?.contains(#""unknown":"blind""#) == true }
        }
        scanners = try [hall.scanner(1, visits: [0])]
        try await subscriber.waitUntil("one scanner is back, and hears what is beside it", within: .seconds(60)) {
            Self.room(of: 1, $0.lines) == "Hall 1"
        }
        for scanner in scanners { _ = try await scanner.stop() }
        #expect(try await second.stop().status == 0)
        try await subscriber.waitUntil("an orderly end leaves no presence") {
            $0.lines.last { $0.contains("resolvers/two") }?.hasSuffix("resolvers/two ") == true
        }
        _ = try await broker.stop()
    }

    @Test("mistakes in its options are told before anything begins", arguments: [
        (["run"], "--mqtt"), (["run", "--mqtt", "broker"], "--mqtt"),
        (["run", "--mqtt", "mqtt://broker", "--topic-prefix", "a/#"], "--topic-prefix"),
        (["run", "--mqtt", "mqtt://broker", "--name", "a b"], "--name"),
        (["run", "--mqtt", "mqtt://broker", "--ca-file", "/ca.pem"], "mqtts://"),
        (["run", "--mqtt", "mqtt://broker", "--password-file", "/p"], "USER@HOST"), (["locate"], "--source"),
        (["locate", "--source", "file:/dev/null", "--places", "/no/such/file"], "/no/such/file"),
    ])
    func mistakes(arguments: [String], named: String) async throws {
        let run = try await RunningProgram.run(Programs.path(of: "beacon-fleet"), arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains(named), "\(run.errors)")
    }

    /// The last answer about a beacon.
    private static func answer(of minor: Int, _ lines: [String]) -> String? {
        lines.last { $0.contains("/1/\(minor) {") }
    }

    private static func room(of minor: Int, _ lines: [String]) -> String? {
        answer(of: minor, lines)?.firstMatch(of: #/"room":"([^"]*)"/#).map { String($0.1) }
    }
}

/// Two rooms, 20 m apart, with a beacon in each. A scanner that is carried from one to the other is, for the fleet, a
/// beacon that is.
private struct Hall {
    let broker: Mosquitto
    private let folder: String

    init() throws {
        broker = try Mosquitto()
        folder = try temporaryFolder("fleet")
    }

    func scanner(_ number: Int, visits: [Int]) throws -> RunningProgram {
        let stops = visits.map { "    - {position: [\($0), 0], pause_s: 10}" }.joined(separator: "\n")
        let beacons = [1, 2].map { minor in
            "  - {uuid: \(Scenarios.uuid), major: 1, minor: \(minor), measured_power: -59, position: [\(20 * (minor - 1)), 1]}"
        }
        let place = "\(folder)/pi-\(number)"
        let scenario = """
            seed: 7
            beacons:
            \(beacons.joined(separator: "\n"))
            visitor:
              speed_m_per_s: 2
              path:
            \(stops)
            repeat: back_and_forth

            """
        try scenario.write(toFile: "\(place).walk.yaml", atomically: true, encoding: .utf8)
        let configuration = """
            sources: ["sim:\(place).walk.yaml"]
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)", host: pi-\(number)}
            fleet: {room: Hall \(number), position: [\(20 * (number - 1)), 0]}
            directories: {state: \(place)/state, cache: \(place)/cache}
            control: {socket: \(place).sock}

            """
        try configuration.write(toFile: "\(place).yaml", atomically: true, encoding: .utf8)
        return try RunningProgram(Programs.beacond, ["--config", "\(place).yaml"])
    }

    func resolver(_ name: String) throws -> RunningProgram {
        try RunningProgram(
            Programs.path(of: "beacon-fleet"), ["run", "--mqtt", "mqtt://127.0.0.1:\(broker.port)", "--name", name])
    }
}
