import Foundation
import TestSupport
import Testing

/// The fleet's page in a real browser, with a real resolver at a real broker.
@Suite(
    "The fleet's page", .serialized, .timeLimit(.minutes(15)),
    .enabled(if: WebPeers.browserAbsence == nil, "\(WebPeers.browserAbsence ?? "")"),
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"))
struct FleetPageTests {
    private static let long = String(repeating: "Long name ", count: 20)

    private static let scanners: [FleetScene.Scanner] = [
        .init("pi-1", room: "Hall 1", position: (x: 4, y: 4)), .init("pi-2", room: "Hall 2", position: (x: 20, y: 4)),
        .init("pi-3", room: "قاعة الغزال", position: (x: 20, y: 14)),
        .init("pi-4", room: long, position: (x: 4, y: 14)),
        .init("pi-5", room: "Attic", floor: 1, position: (x: 5, y: 5)),
    ]

    /// Each scanner hears what is beside it well. Those of the ground floor hear the first three faintly, wherever they
    /// are.
    private static func levels(_ places: [Int: String], blind: String? = nil, silent: String? = nil)
        -> FleetScene.Levels
    {
        var levels: FleetScene.Levels = [:]
        for scanner in scanners where scanner.name != silent {
            var heard = places.compactMapValues { $0 == scanner.name ? -58.0 : nil }
            if scanner.floor == 0 { for minor in 1...3 { heard[minor] = heard[minor] ?? -86 } }
            levels.updateValue(scanner.name == blind ? nil : heard, forKey: scanner.name)
        }
        return levels
    }

    private static let places = [1: "pi-1", 2: "pi-1", 3: "pi-2", 4: "pi-3", 5: "pi-4", 6: "pi-5"]

    @Test("beacons move on the plan, scanners are placed by dragging, and what is unknown is said with its reason")
    func page() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let scene = try await FleetScene(Self.scanners, at: broker)
        scene.hear(Self.levels(Self.places))
        let folder = try temporaryFolder("fleet-page")
        let resolver = try await Self.resolver(broker, folder, isPlanned: true)
        try await Look.through("fleet", at: resolver.page, daemon: resolver.program) { wish in
            switch wish {
            case "move": scene.hear(Self.levels(Self.places.merging([1: "pi-2"]) { $1 }))
            case "blind": scene.hear(Self.levels(Self.places, blind: "pi-3", silent: "pi-4"))
            case "gone": _ = try await resolver.program.stop()
            default: scene.hear(Self.levels(Self.places))
            }
        }
        await scene.stop()
        _ = try await running.stop()
    }

    @Test(
        "looks as it should on a phone and on a desk, light and dark, with and without a plan",
        arguments: [true, false])
    func looks(isPlanned: Bool) async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let scene = try await FleetScene(Self.scanners, at: broker)
        scene.hear(Self.levels(Self.places, blind: "pi-3"))
        let folder = try temporaryFolder("fleet-looks")
        let resolver = try await Self.resolver(broker, folder, isPlanned: isPlanned)
        try await Look.through(isPlanned ? "fleet_looks" : "fleet_bare", at: resolver.page, daemon: resolver.program)
        _ = try await resolver.program.stop()
        await scene.stop()
        _ = try await running.stop()
    }

    private static func resolver(
        _ broker: Mosquitto, _ folder: String, isPlanned: Bool
    ) async throws -> (program: RunningProgram, page: String) {
        let names = [(1, "Star Globe"), (2, long), (3, "غزال الصحراء"), (4, "<b>Loom</b>")].map {
            "  \(FleetScene.uuid)/1/\($0): \"\($1)\""
        }
        try (["beacons:"] + names).joined(separator: "\n").write(
            toFile: "\(folder)/names.yaml", atomically: true, encoding: .utf8)
        try "- {floor: 0, name: Ground floor, picture: 0.png, width_m: 26}\n"
            .write(toFile: "\(folder)/plans.yaml", atomically: true, encoding: .utf8)
        let drawn = try await RunningProgram.run(
            "python3", ["-B", "\(Programs.project)/Tests/Peers/floor_plan.py", "\(folder)/0.png"])
        guard drawn.status == 0 else { throw RunningProgram.Failure(description: drawn.errors) }
        let port = try freePort()
        let program = try RunningProgram(
            Programs.path(of: "beacon-fleet"),
            [
                "run", "--mqtt", "mqtt://127.0.0.1:\(broker.port)", "--name", "page", "--http", "\(port)", "--names",
                "\(folder)/names.yaml", "--state", folder,
            ] + (isPlanned ? ["--plans", folder] : []))
        let page = "http://127.0.0.1:\(port)"
        try await program.waitUntil("beacons are in rooms") { _ in
            (try? exchange(
                port: port, request: "GET /v1/rooms HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))?
                .contains("\"room\":\"Hall 1\"") == true
        }
        return (program, page)
    }
}
