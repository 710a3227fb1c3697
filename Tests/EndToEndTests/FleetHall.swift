import Foundation
import TestSupport

/// Two rooms, 20 m apart, with a beacon in each. A scanner that is carried from one to the other is, for the fleet, a
/// beacon that is.
struct FleetHall {
    let broker: Mosquitto
    private let folder: String

    init() throws {
        broker = try Mosquitto()
        folder = try temporaryFolder("fleet")
    }

    /// - Parameter ahead: seconds by which its clock is wrong.
    func scanner(_ number: Int, visits: [Int], ahead: Int = 0) throws -> RunningProgram {
        let stops = visits.map { "    - {position: [\($0), 0], pause_s: 10}" }.joined(separator: "\n")
        let beacons = [1, 2].map { minor in
            "  - {uuid: \(Scenarios.uuid), major: 1, minor: \(minor), measured_power: -59, position: "
                + "[\(20 * (minor - 1)), 1]}"
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
        return try Self.start(Programs.beacond, ["--config", "\(place).yaml"], ahead: ahead)
    }

    func resolver(_ name: String, ahead: Int = 0) throws -> RunningProgram {
        try Self.start(
            Programs.path(of: "beacon-fleet"), ["run", "--mqtt", "mqtt://127.0.0.1:\(broker.port)", "--name", name],
            ahead: ahead)
    }

    func fleet(_ arguments: String...) async throws -> RunningProgram.Outcome {
        try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"), arguments + ["--mqtt", "mqtt://127.0.0.1:\(broker.port)"])
    }

    private static func start(_ program: String, _ arguments: [String], ahead: Int) throws -> RunningProgram {
        guard ahead != 0 else { return try RunningProgram(program, arguments) }
        let (program, arguments) = try ClockShift.command(program, arguments, ahead: ahead)
        return try RunningProgram(program, arguments)
    }

    /// What `beaconctl fleet` lists once it is whole, else what it lists at the tenth time.
    ///
    /// It reads until the broker is silent for 0.8 s, and a busy machine may keep any broker silent for so long.
    static func listing(
        _ arguments: [String], until isWhole: (RunningProgram.Outcome) -> Bool
    ) async throws -> RunningProgram.Outcome {
        var end = try await RunningProgram.run(Programs.beaconctl, ["fleet"] + arguments)
        for _ in 0..<9 where !isWhole(end) {
            end = try await RunningProgram.run(Programs.beaconctl, ["fleet"] + arguments)
        }
        return end
    }

    // MARK: - What subscribers read

    /// The last answer about a beacon. A scanner's own ranging and a beacon's health have topics with the same end.
    static func answer(of minor: Int, _ lines: [String]) -> String? {
        lines.last { $0.contains("/rooms/") && $0.contains("/1/\(minor) {") }
    }

    static func room(of minor: Int, _ lines: [String]) -> String? {
        answer(of: minor, lines)?.firstMatch(of: #/"room":"([^"]*)"/#).map { String($0.1) }
    }

    /// `clock_ms` of the last state of a scanner.
    static func correction(of scanner: String, _ lines: [String]) -> Int? {
        lines.last { $0.contains("beacond/\(scanner)/scanner ") }.flatMap(correction)
    }

    /// `clock_ms` of a message; nil where it has none.
    static func correction(_ line: String) -> Int? {
        line.firstMatch(of: #/"clock_ms":(-?[0-9]+)/#).flatMap { Int($0.1) }
    }

    /// The second of a message of levels, by the fleet's clock.
    static func correctedSecond(_ line: String) -> Int? {
        guard let second = line.firstMatch(of: #/"second":([0-9]+)/#).flatMap({ Int($0.1) }) else { return nil }
        return second + Int(((500 + Double(correction(line) ?? 0)) / 1000).rounded(.down))
    }
}
