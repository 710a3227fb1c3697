import Foundation
import Testing
import TestSupport

/// One walk through the museum, seen by everybody who can look on at once.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"),
    .enabled(if: PrivateBus.program != nil, "dbus-daemon is not installed"))
struct WalkTests {
    /// A change of the nearest beacon, as every output tells it.
    private struct Change: Hashable {
        var id: Int
        var beacon: String
    }

    private struct Event: Decodable {
        struct Beacon: Decodable {
            var uuid: String
            var major: Int
            var minor: Int
        }

        var id: Int?
        var event: String
        var beacon: Beacon?
    }

    /// The changes in lines of JSON, of which each event may come more than once.
    private static func changes(_ lines: some Sequence<some StringProtocol>) -> [Change] {
        var seen: Set<Int> = []
        return lines.compactMap { line in
            guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)), event.event == "nearest",
                let id = event.id, seen.insert(id).inserted
            else { return nil }
            return Change(id: id, beacon: event.beacon.map { "\($0.uuid)/\($0.major)/\($0.minor)" } ?? "none")
        }
    }

    private static func streamed(_ program: RunningProgram) -> [Change] {
        changes(program.lines.filter { $0.hasPrefix("data:") }.map { $0.dropFirst(5).drop { $0 == " " } })
    }

    private static func published(_ program: RunningProgram) -> [Change] {
        changes(program.lines.filter { $0.contains("/events/nearest ") }.compactMap { line in
            line.firstIndex(of: "{").map { line[$0...] }
        })
    }

    /// The beacons of the changes that `busctl monitor` has seen, from the first on.
    private static func signalled(_ program: RunningProgram) -> [String] {
        struct Message: Decodable {
            struct Value: Decodable {
                var text: String

                init(from decoder: any Decoder) throws {
                    let data = try decoder.container(keyedBy: Key.self)
                    text =
                        try (try? data.decode(String.self, forKey: .data)) ?? "\(data.decode(Int.self, forKey: .data))"
                }

                enum Key: String, CodingKey { case data }
            }
            struct Payload: Decodable {
                var data: [[String: Value]]
            }
            var member: String?
            var payload: Payload
        }
        return program.lines.filter { $0.contains("NearestChanged") }.compactMap { line in
            guard let message = try? JSONDecoder().decode(Message.self, from: Data(line.utf8)),
                message.member == "NearestChanged"
            else { return nil }
            let beacon = message.payload.data[0].mapValues(\.text)
            guard let uuid = beacon["uuid"], let major = beacon["major"], let minor = beacon["minor"] else {
                return "none"
            }
            return "\(uuid)/\(major)/\(minor)"
        }
    }

    @Test("the watcher, the event stream, the broker's subscriber, the message bus, the metrics and the log agree")
    func everybodyAgrees() async throws {
        let folder = try TemporaryFolder()
        let broker = try Mosquitto()
        let brokerProgram = try await broker.start()
        let subscriber = try broker.subscriber("beacond/#")
        let bus = try await PrivateBus()
        let monitor = try RunningProgram(
            "busctl", ["--system", "--no-pager", "--json=short", "monitor"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.socket])
        try await monitor.waitUntil("it listens") { $0.errors.contains("Monitoring") }
        let port = try freePort()
        try """
        sources: [sim]
        directories: {state: "\(folder)/state", cache: "\(folder)/cache"}
        control: {socket: "\(folder)/control.sock"}
        http: {listen: \(port)}
        mqtt: {url: "mqtt://127.0.0.1:\(broker.port)", host: hall}
        """.write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let daemon = try RunningProgram(
            Programs.beacond, ["--config", "\(folder)/beacond.yaml"],
            environment: ["BEACOND_CONTROL_SOCKET": nil, "DBUS_SYSTEM_BUS_ADDRESS": bus.socket])
        try await daemon.waitUntil("it can be asked") { _ in
            FileManager.default.fileExists(atPath: "\(folder)/control.sock")
        }
        let socket = ["--socket", "\(folder)/control.sock"]
        let watcher = try RunningProgram(Programs.beaconctl, ["watch", "--format", "json"] + socket)
        try await waitUntil("its port can be reached") { (try? RawConnection(port: Int(port))) != nil }
        let stream = try RunningProgram(
            "/usr/bin/curl", ["-sN", "--max-time", "500", "http://127.0.0.1:\(port)/v1/events?after=0"])

        try await daemon.waitUntil("everybody has seen three changes", within: .seconds(300)) { _ in
            [Self.changes(watcher.lines), Self.streamed(stream), Self.published(subscriber)].allSatisfy {
                $0.count >= 3
            }
                && Self.signalled(monitor).count >= 3
        }
        // From the first that all have seen to the last that all have.
        let seen = [Self.changes(watcher.lines), Self.streamed(stream), Self.published(subscriber)]
        let first = seen.map { $0[0].id }.reduce(0, max)
        let last = seen.map { $0[$0.count - 1].id }.reduce(.max, min)
        let common = seen.map { $0.filter { (first...last).contains($0.id) } }
        #expect(common[0].count >= 2)
        #expect(common[0] == common[1])
        #expect(common[0] == common[2])

        let signals = Self.signalled(monitor)
        // The daemon may be on the bus a moment after the first change only.
        try await daemon.waitUntil("the stream has what the bus has told, \(signals)") { _ in
            let all = Self.streamed(stream).map(\.beacon)
            return all.starts(with: signals) || all.dropFirst().starts(with: signals)
        }

        // The log names them; the stream has all from the beginning.
        let before = Self.streamed(stream).count
        try await daemon.waitUntil("the log names them") { daemon in
            daemon.errorLines.count { $0.contains(" nearest  ") } >= before
        }
        let count = try await eventually("the metrics have counted them") { () async throws -> Int? in
            let metrics = try await RunningProgram.run("/usr/bin/curl", ["-s", "http://127.0.0.1:\(port)/metrics"])
            let switches = metrics.lines.first { $0.hasPrefix("beacond_nearest_switches_total ") }
            let count = try #require(switches.flatMap { Int($0.split(separator: " ")[1]) })
            return count >= before ? count : nil
        }
        try await daemon.waitUntil("the stream has what was counted") { _ in Self.streamed(stream).count >= count }

        for program in [watcher, daemon, subscriber, monitor, brokerProgram] { _ = try await program.stop() }
    }
}
