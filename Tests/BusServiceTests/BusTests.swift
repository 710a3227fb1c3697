import Beacon
import Bus
import BusService
import Events
import Foundation
import Logging
import Ranging
import ServiceLifecycle
import Settings
import Synchronization
import TestSupport
import Testing

/// The service on a bus of the test's own, with the policy that is installed.
private final class Bench: Sendable {
    let bus: PrivateBus
    let hub = EventHub(names: Names())
    let syncs = Mutex(0)
    private let group: Mutex<ServiceGroup?> = Mutex(nil)
    private let task: Mutex<Task<Void, any Error>?> = Mutex(nil)

    init(_ bus: PrivateBus, isDemanded: Bool = true) {
        self.bus = bus
        let service = BusService(
            BusServiceSettings(isDemanded: isDemanded), address: BusAddress(bus.socket), hub: hub, version: "1.2.3"
        ) {
            self.syncs.withLock { $0 += 1 }
            return nil
        }
        let group = ServiceGroup(services: [service], logger: Logger(label: "test"))
        self.group.withLock { $0 = group }
        task.withLock { $0 = Task { try await group.run() } }
    }

    func stop() async throws {
        await group.withLock { $0 }?.triggerGracefulShutdown()
        try await task.withLock { $0 }?.value
    }

    static func run(_ program: String, _ arguments: [String], on bus: PrivateBus) async throws -> RunningProgram.Outcome
    {
        try await RunningProgram.run(program, arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.socket])
    }

    func busctl(_ arguments: String...) async throws -> RunningProgram.Outcome {
        try await Self.run("busctl", ["--system", "--no-pager"] + arguments, on: bus)
    }

    /// All messages on the bus, or those of one name: a line each.
    static func monitor(_ bus: PrivateBus, _ names: String...) async throws -> RunningProgram {
        let monitor = try RunningProgram(
            "busctl", ["--system", "--no-pager", "--json=short", "monitor"] + names,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.socket])
        try await monitor.waitUntil("it listens") { $0.errors.contains("Monitoring") }
        return monitor
    }

    /// Waits until others can call.
    func waitUntilThere() async throws {
        try await waitUntil("it has its name") { try await busctl("status", Beacond1.name).status == 0 }
    }

    var troubles: [String] {
        (hub.subscribe(after: 0).take().batch?.records ?? []).compactMap {
            switch $0.event {
            case .trouble(_, let problem, _): problem
            case .mended: "mended"
            default: nil
            }
        }
    }

    func waitForTroubles(_ count: Int) async throws {
        try await waitUntil("\(count) troubles are told", state: "\(troubles)") { troubles.count >= count }
    }
}

@Suite(
    "On a real bus",
    .enabled(
        if: PrivateBus.program != nil && Programs.installed("busctl") != nil && Programs.installed("dbus-send") != nil,
        "dbus-daemon, busctl or dbus-send are not installed (apt-get install dbus systemd)"),
    .timeLimit(.minutes(10)))
struct BusServiceTests {
    private let call = [Beacond1.name, Beacond1.path]

    @Test("busctl and dbus-send understand it")
    func busctlAndDbussend() async throws {
        let bench = Bench(try await PrivateBus())
        try await bench.waitUntilThere()
        bench.hub.names.add([hall: "Hall"])
        bench.hub.publish(ranking(nearest: hall, hall, shop), isBlind: false)

        let tree = try await bench.busctl("tree", "--list", Beacond1.name)
        #expect(tree.lines.contains(Beacond1.path))
        let introspection = try await bench.busctl("introspect", Beacond1.name, Beacond1.path, Beacond1.interface)
        #expect(introspection.status == 0, "\(introspection.errors)")
        for member in [
            ".GetRanging", ".Sync", ".Nearest", ".Beacons", ".ContentState", ".Unhealthy", ".NearestChanged",
            ".Entered", ".HealthChanged",
        ] {
            #expect(introspection.lines.contains { $0.hasPrefix(member + " ") }, "\(member)")
        }
        let version = try await bench.busctl(
            "get-property", Beacond1.name, Beacond1.path, Beacond1.interface, "Version")
        #expect(version.output == "s \"1.2.3\"\n")
        let ranging = try await bench.busctl(
            "--json=short", "call", Beacond1.name, Beacond1.path, Beacond1.interface, "GetRanging")
        #expect(ranging.output.contains("\"name\":{\"type\":\"s\",\"data\":\"Hall\"}"))
        let all = try await Bench.run(
            "dbus-send",
            [
                "--system", "--print-reply", "--dest=\(Beacond1.name)", Beacond1.path,
                "org.freedesktop.DBus.Properties.GetAll", "string:\(Beacond1.interface)",
            ], on: bench.bus)
        #expect(all.status == 0 && all.output.contains("string \"Nearest\""), "\(all.errors)")
        let sync = try await bench.busctl("call", Beacond1.name, Beacond1.path, Beacond1.interface, "Sync")
        #expect(sync.status == 0)
        #expect(bench.syncs.withLock { $0 } == 1)
        let wrong = try await bench.busctl("call", Beacond1.name, Beacond1.path, Beacond1.interface, "Nothing")
        #expect(wrong.status != 0 && wrong.errors.contains("Nothing"))
        try await bench.stop()
    }

    @Test("busctl monitor sees what happens, in order")
    func busctlMonitor() async throws {
        let bench = Bench(try await PrivateBus())
        try await bench.waitUntilThere()
        let monitor = try await Bench.monitor(bench.bus, Beacond1.name)
        for _ in 0..<20 {
            bench.hub.publish(.ranging(.entered(hall)))
            bench.hub.publish(.ranging(.nearest(hall, previous: shop)))
            bench.hub.publish(.ranging(.exited(hall)))
        }
        bench.hub.publish(ranking(nearest: shop, shop), isBlind: false)
        try await monitor.waitUntil("all is seen") {
            $0.lines.contains { $0.contains("PropertiesChanged") && $0.contains("65535") }
        }
        let seen = monitor.lines.compactMap { line in
            ["Entered", "NearestChanged", "Exited"].first { line.contains("\"member\":\"\($0)\"") }
        }
        #expect(seen == (0..<20).flatMap { _ in ["Entered", "NearestChanged", "Exited"] })
        _ = try await monitor.stop(with: SIGINT)
        try await bench.stop()
    }

    @Test("the end gives the name back")
    func endGives() async throws {
        let bench = Bench(try await PrivateBus())
        try await bench.waitUntilThere()
        try await bench.stop()
        // The bus notices a moment after the connection has ended.
        try await waitUntil("nobody has the name") { try await bench.busctl("status", Beacond1.name).status != 0 }
    }

    @Test("a bus that forbids the name is told of once, where it was asked for")
    func busThatForbids() async throws {
        let bus = try await PrivateBus(policy: "<deny own=\"org.beacond.Beacond1\"/>")
        let monitor = try await Bench.monitor(bus)
        func refusals() -> Int { monitor.lines.count { $0.contains("Error.AccessDenied") } }
        let silent = Bench(bus, isDemanded: false)
        try await monitor.waitUntil("it was refused twice") { _ in refusals() >= 2 }
        #expect(silent.troubles.isEmpty)
        try await silent.stop()

        let before = refusals()
        let demanded = Bench(bus)
        try await monitor.waitUntil("it was refused three times") { _ in refusals() >= before + 3 }
        #expect(demanded.troubles.count == 1)
        #expect(demanded.troubles.first?.contains("org.beacond.Beacond1.conf") == true, "\(demanded.troubles)")
        try await demanded.stop()
    }

    @Test("a name that is taken is told of, and taken when it is free")
    func nameThatIsTaken() async throws {
        let bus = try await PrivateBus()
        let first = Bench(bus)
        try await first.waitUntilThere()
        let second = Bench(bus)
        try await second.waitForTroubles(1)
        #expect(second.troubles.first?.contains("another program") == true)
        try await first.stop()
        try await second.waitForTroubles(2)
        #expect(second.troubles.last == "mended")
        try await second.stop()
    }

    @Test("the installed policy lets everybody read, and few sync")
    func installedPolicy() async throws {
        let policy = try String(
            contentsOfFile: Programs.project + "/systemd/org.beacond.Beacond1.conf", encoding: .utf8)
        let rules = policy.components(separatedBy: "<policy context=\"default\">")[1].components(
            separatedBy: "</policy>")[0]
        // As on a system's bus: nothing may be called unless a rule allows it.
        let bus = try await PrivateBus(
            policy: "<deny send_type=\"method_call\"/><allow send_destination=\"org.freedesktop.DBus\"/>" + rules)
        let bench = Bench(bus)
        var version = ""
        try await waitUntil("it answers") {
            version = try await bench.busctl(
                "get-property", Beacond1.name, Beacond1.path, Beacond1.interface, "Version"
            ).output
            return !version.isEmpty
        }
        #expect(version == "s \"1.2.3\"\n")
        let sync = try await bench.busctl("call", Beacond1.name, Beacond1.path, Beacond1.interface, "Sync")
        #expect(sync.status != 0 && sync.errors.contains("denied"), "\(sync.errors)")
        #expect(bench.syncs.withLock { $0 } == 0)
        try await bench.stop()
    }
}
