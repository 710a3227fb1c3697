import Foundation
import TestSupport
import Testing

@Suite(
    "beaconctl fleet", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
struct FleetCommandTests {
    private func fleet(_ arguments: [String]) async throws -> RunningProgram.Outcome {
        try await RunningProgram.run(Programs.beaconctl, ["fleet"] + arguments)
    }

    @Test("lists scanners with state, room and clock, and resolvers, in every format")
    func list() async throws {
        let mosquitto = try Mosquitto()
        let broker = try await mosquitto.start()
        let name = String(repeating: "Grosse Halle ", count: 15)
        let states = [
            "pi-1":
                #"{"scanner":"ok","room":"قاعة النجوم","floor":0,"x":1,"y":2,"version":"1.2","revision":7,"clock_ms":12300,"clock_synchronised":false}"#,
            "pi-2": #"{"scanner":"blind","room":"=Hall, 2","floor":1,"blind_since":"2026-01-01T00:00:00Z"}"#,
            "pi-3": #"{"scanner":"ok","room":"\#(name)","clock_ms":4}"#,
        ]
        for (host, state) in states { try await mosquitto.publish("beacond/\(host)/scanner", state, isRetained: true) }
        try await mosquitto.publish("beacond/pi-3/status", "offline", isRetained: true)
        try await mosquitto.publish("beacond/fleet/resolvers/one", "answering", isRetained: true)
        try await mosquitto.publish(
            "beacond/fleet/resolvers/one/scanners",
            #"{"time":"2026-01-01T00:01:00Z","scanners":{"pi-1":{"second":1767225659,"clock_ms":12300,"late":2,"ahead":0,"dropped":1}}}"#,
            isRetained: true)
        try await mosquitto.publish("beacond/pi-4/scanner", "nonsense", isRetained: true)
        let options = ["--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)"]

        let parts = [
            "SCANNER", "قاعة النجوم", "12.3 s behind, no NTP", "blind since 2026-01-01T00:00:00Z", "offline",
            "answering", "2026-01-01T00:00:59Z",
        ]
        let table = try await FleetHall.listing(options) { end in parts.allSatisfy { end.output.contains($0) } }
        #expect(table.status == 0, "\(table.errors)")
        for part in parts {
            #expect(table.output.contains(part), "\(part) in\n\(table.output)")
        }
        let json = try await FleetHall.listing(options + ["--json"]) {
            $0.lines.count == 4 && $0.output.contains(#""lost":3"#)
        }
        let objects = try json.lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(
            objects.map { $0?["scanner"] as? String ?? $0?["resolver"] as? String } == ["pi-3", "pi-1", "pi-2", "one"])
        #expect(objects.first { $0?["scanner"] as? String == "pi-1" }??["lost"] as? Int == 3)
        let csv = try await FleetHall.listing(options + ["--format", "csv"]) { $0.lines.count == 4 }
        #expect(csv.lines.count == 4)
        #expect(csv.output.contains(#"pi-2,blind,"'=Hall, 2",1,"#), "\(csv.output)")

        // The broker of this machine's configuration.
        let file = try temporaryFolder("fleet-command") + "/beacond.yaml"
        try "mqtt: {url: \"mqtt://127.0.0.1:\(mosquitto.port)\"}\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        let configured = try await FleetHall.listing(["--config", file]) { $0.output.contains("pi-1") }
        #expect(configured.status == 0 && configured.output.contains("pi-1"), "\(configured.errors)")
        _ = try await broker.stop()
    }

    @Test("finds the resolvers, too, where the broker retains more of scanners than it can send at once")
    func muchRetained() async throws {
        let mosquitto = try Mosquitto()
        let broker = try await mosquitto.start()
        let large = try temporaryFolder("fleet-command") + "/large"
        try Data(repeating: 0x20, count: 1 << 20).write(to: URL(fileURLWithPath: large))
        for number in 1...24 {
            let end = try await RunningProgram.run(
                "mosquitto_pub",
                [
                    "-h", "127.0.0.1", "-p", "\(mosquitto.port)", "-t", "beacond/large-\(number)/scanner", "-r", "-q", "1",
                    "-f", large,
                ])
            try #require(end.status == 0, "\(end.errors)")
        }
        try await mosquitto.publish(
            "beacond/pi-1/scanner", #"{"scanner":"ok","room":"Hall 1","floor":0}"#, isRetained: true)
        try await mosquitto.publish("beacond/fleet/resolvers/one", "answering", isRetained: true)
        // How much waits at the broker depends on how fast it is read. The command reads for 5 s at most, which may be
        // too short on a busy machine.
        var ends: [RunningProgram.Outcome] = []
        for _ in 0..<6 { ends.append(try await fleet(["--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)", "--json"])) }
        let found = ends.count { $0.output.contains(#""resolver":"one","state":"answering""#) }
        #expect(found >= 4, "\(ends)")
        _ = try await broker.stop()
    }

    @Test("says what is wrong: no broker, nobody there, nothing named")
    func failures() async throws {
        let port = try Mosquitto().port
        let missing = try await fleet(["--mqtt", "mqtt://127.0.0.1:\(port)"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("nothing listens at"), "\(missing.errors)")
        let mosquitto = try Mosquitto()
        let broker = try await mosquitto.start()
        let empty = try await fleet(["--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)", "--topic-prefix", "museum"])
        #expect(empty.status == 1)
        #expect(empty.errors.contains("no scanner has said anything below museum"), "\(empty.errors)")
        let unnamed = try await fleet(["--config", "/dev/null"])
        #expect(unnamed.status == 2)
        #expect(unnamed.errors.contains("--mqtt"), "\(unnamed.errors)")
        _ = try await broker.stop()
    }
}
