import Foundation
import TestSupport
import Testing

@Suite(
    "What a resolver shows", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
struct FleetOutputTests {
    private static let scanners: [FleetScene.Scanner] = [
        .init("pi-1", room: "Hall 1", position: (x: 0, y: 0)), .init("pi-2", room: "قاعة", position: (x: 20, y: 0)),
    ]
    private static let beside1: FleetScene.Levels = ["pi-1": [1: -58, 2: -60], "pi-2": [1: -86, 2: -85]]
    private static let beside2: FleetScene.Levels = ["pi-1": [1: -86, 2: -60], "pi-2": [1: -58, 2: -85]]

    @Test(
        "a history in a folder that may not be entered is not said to be missing",
        .enabled(if: OtherUser.isAvailable, OtherUser.condition))
    func deniedHistory() async throws {
        let folder = try TemporaryFolder()
        let state = folder.path("state")
        try #require(chmod(folder.path, 0o755) == 0 && mkdir(state, 0o700) == 0)
        let end = try await RunningProgram.run(
            "setpriv", OtherUser.options + [Programs.path(of: "beacon-fleet"), "report", "--state", state])
        #expect(end.status == 1, "\(end.output)")
        #expect(
            end.errors.contains(state) && end.errors.contains("cannot be read: Permission denied")
                && end.errors.contains("run this as the user of beacon-fleet run"), "\(end.errors)")
    }

    @Test("is the same everywhere: broker, Home Assistant, HTTP, events, metrics, history and report")
    func same() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let subscriber = try broker.subscriber("beacond/rooms/#", "beacond/fleet/occupancy/#", "homeassistant/#")
        let scene = try await FleetScene(Self.scanners, at: broker)
        scene.hear(Self.beside1)
        let folder = try temporaryFolder("fleet-outputs")
        let port = try freePort()
        let resolver = try Self.resolver(broker, folder, port)
        try await resolver.waitUntil("the first rooms are served") { _ in
            Self.get("/v1/rooms", port).components(separatedBy: #""room":"Hall 1""#).count == 3
        }
        let stream = try RawConnection(port: Int(port))
        await stream.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await stream.waitUntil("the stream begins") { $0.text.contains("retry:") }

        scene.hear(Self.beside2)
        try await stream.waitUntil("the change is an event") {
            RawEvents($0).data.contains { $0.contains(#""minor":1"#) && $0.contains(#""room":"قاعة""#) }
        }
        try await subscriber.waitUntil("the broker has it") {
            $0.lines.contains { $0.contains("/1/1 {") && $0.contains("قاعة") }
        }
        try await subscriber.waitUntil("rooms are counted") { lines in
            ["Hall 1", "قاعة"].allSatisfy { room in
                lines.lines.last { $0.contains("/occupancy/") && $0.contains(room) }?.hasSuffix(#""beacons":1}"#)
                    == true
            }
        }
        func announced() -> Set<Substring> {
            Set(
                subscriber.lines.filter { $0.contains("homeassistant/") }.compactMap {
                    $0.split(separator: " ").dropFirst(2).first
                })
        }
        try await subscriber.waitUntil("Home Assistant is told of all") { _ in announced().count >= 8 }
        #expect(announced().count == 8)
        let metrics = try await eventually("the metrics count them") {
            let metrics = Self.get("/metrics", port)
            return metrics.contains(#"beacond_fleet_beacons{room="Hall 1",floor="0"} 1"#) ? metrics : nil
        }
        if WebPeers.absence == nil {
            let body = try #require(metrics.components(separatedBy: "\r\n\r\n").dropFirst().first)
            #expect(try await WebPeers.metrics(in: body).contains { $0.name.hasPrefix("beacond_fleet_lag") })
        }
        #expect(Self.get("/healthz", port).contains(#""status":"ok""#))

        // What is written at the end is there after a restart, and without one.
        #expect(try await resolver.stop().status == 0)
        let report = try await Self.report(folder, ["--format", "csv"])
        #expect(report.contains(",Star Globe,قاعة,0,") && report.contains(",Star Globe,Hall 1,0,"), "\(report)")
        let again = try Self.resolver(broker, folder, port)
        try await again.waitUntil("it is back") { _ in
            Self.get("/v1/rooms", port).contains(#""room":"قاعة""#)
        }
        #expect(Self.get("/v1/history?format=csv&beacon=Star%20Globe", port).contains(",Star Globe,Hall 1,0,"))
        #expect(try await Self.report(folder, []).contains("FROM ROOM TO ROOM"))
        if APIPeer.absence == nil {
            let outcome = try await APIPeer.checkControl("http://127.0.0.1:\(port)", examples: 3)
            #expect(outcome.status == 0, "\(outcome.output.suffix(8000))")
        }
        _ = try await again.stop()
        await scene.stop()
        _ = try await running.stop()
    }

    @Test(
        "mistakes in its options are told before anything begins",
        arguments: [
            (["--http", "nowhere"], "--http"), (["--http", "0.0.0.0:8090"], "--http-token-file"),
            (["--plans", "/tmp"], "--http"),
            (["--http", "8090", "--plans", "/no/such/folder"], "/no/such/folder/plans.yaml"),
            (["--names", "/no/such/file"], "/no/such/file"), (["--home-assistant", "a/#"], "--home-assistant"),
            (["--state", "/tmp", "--history-days", "0"], "--history-days"), (["--history-days", "7"], "--state"),
            (["--http", "8090", "--http-name", "http://museum.example"], "--http-name http://museum.example"),
            (["--http", "8090", "--http-name", "müseum.example"], "as in xn--mnchen-3ya.example"),
        ])
    func mistakes(options: [String], named: String) async throws {
        let run = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"), ["run", "--mqtt", "mqtt://127.0.0.1:1"] + options)
        #expect(run.status == 2)
        #expect(run.errors.contains(named), "\(run.errors)")
    }

    @Test("a report without a history says where one would be")
    func noHistory() async throws {
        let run = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"), ["report", "--state", "/no/such/folder"])
        #expect(run.status == 1)
        #expect(run.errors.contains("/no/such/folder/rooms.sqlite"), "\(run.errors)")
    }

    private static func resolver(_ broker: Mosquitto, _ folder: String, _ port: UInt16) throws -> RunningProgram {
        try "beacons: {\(FleetScene.uuid)/1/1: Star Globe}"
            .write(toFile: "\(folder)/names.yaml", atomically: true, encoding: .utf8)
        return try RunningProgram(
            Programs.path(of: "beacon-fleet"),
            [
                "run", "--mqtt", "mqtt://127.0.0.1:\(broker.port)", "--name", "one", "--http", "\(port)", "--state",
                folder,
                "--names", "\(folder)/names.yaml", "--home-assistant", "homeassistant",
            ])
    }

    private static func report(_ folder: String, _ options: [String]) async throws -> String {
        let run = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"),
            ["report", "--state", folder, "--names", "\(folder)/names.yaml", "--since", "1h"] + options)
        guard run.status == 0 else { throw RunningProgram.Failure(description: run.errors) }
        return run.output
    }

    private static func get(_ path: String, _ port: UInt16) -> String {
        (try? exchange(port: port, request: "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
            ?? ""
    }
}
