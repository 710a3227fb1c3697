import Beacon
import Events
import Foundation
import Hooks
import Logging
import Ranging
import ServiceLifecycle
import Settings
import Synchronization
import TestSupport
import Testing

private let hall = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let shop = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 3)

/// Lines of the log.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.lines.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }
}

private final class Bench: Sendable {
    let hub: EventHub
    let folder: String
    private let progress: HookProgress
    private let lines = Lines()
    private let logger: Logger
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    /// - Parameter former: the hooks before a reload, and what those after it subscribed to while they still ran.
    init(
        _ commands: [String: [String]], capacity: Int = 4096, grace: Duration = HookService.grace,
        after former: (bench: Bench, subscription: EventSubscription)? = nil,
        _ change: (inout HookSettings) -> Void = { _ in }
    ) throws {
        hub = former?.bench.hub ?? EventHub(names: Names(), capacity: capacity)
        progress = former?.bench.progress ?? HookProgress()
        folder = try former?.bench.folder ?? temporaryFolder("hooks")
        var settings = HookSettings(commands: commands)
        // No command is ended while it waits for this test, or for others.
        settings.timeout = 3600
        change(&settings)
        let lines = lines
        logger = Logger(label: "test") { _ in Lines.Handler(lines: lines) }
        let service = HookService(
            settings, subscription: former?.subscription ?? hub.subscribe(), progress: progress, names: hub.names,
            environment: [
                "PATH": "/usr/bin:/bin", "FOLDER": folder, "NOTIFY_SOCKET": "/secret",
                "BEACOND_CONTENT_TOKEN": "secret"
            ], logger: logger, grace: grace)
        let group = ServiceGroup(services: [service], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        self.group = group
        task = Task { try await group.run() }
    }

    /// What the service has logged.
    var log: [String] { lines.all }

    func file(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
    }

    func waitUntil(_ what: String, _ condition: () -> Bool) async throws {
        try await TestSupport.waitUntil(what, state: "\(log)", condition)
    }

    /// - Parameter isReload: other hooks follow.
    func stop(isReload: Bool = false) async throws {
        await group.triggerGracefulShutdown()
        try await task.value
        guard !isReload else { return }
        for line in progress.giveUp().lines { logger.warning("\(line)") }
    }
}

@Suite("Hooks", .timeLimit(.minutes(10)))
struct HookTests {
    private func shell(_ text: String) -> [String] { ["/bin/sh", "-c", text] }

    @Test("a command gets the event in its environment and on its input")
    func commandGets() async throws {
        let bench = try Bench([
            "entered": shell("env > $FOLDER/env.new; cat > $FOLDER/input; mv $FOLDER/env.new $FOLDER/env")
        ])
        bench.hub.names.add([hall: "Hall; rm -rf / \"$(x)\"\n"])
        bench.hub.publish(.ranging(.entered(hall)))
        try await bench.waitUntil("it ran") { !bench.file("env").isEmpty }
        let variables = bench.file("env").split(separator: "\n").map(String.init)
        for line in [
            "BEACOND_EVENT=entered", "BEACOND_BEACON_UUID=\(hall.uuid)", "BEACOND_BEACON_MAJOR=1",
            "BEACOND_BEACON_MINOR=2", "BEACOND_BEACON_NAME=Hall; rm -rf / \"$(x)\"", "PATH=/usr/bin:/bin",
        ] { #expect(variables.contains(line), "\(line)") }
        #expect(!bench.file("env").contains("secret"))
        let input = bench.file("input")
        #expect(variables.contains("BEACOND_JSON=" + input.dropLast()))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(input.utf8)) as? [String: Any])
        #expect(object["event"] as? String == "entered")
        try await bench.stop()
    }

    @Test("commands run in the order of the events, and only for theirs")
    func commandsRun() async throws {
        let bench = try Bench([
            "entered": shell("sleep 0.01; echo +$BEACOND_BEACON_MINOR >> $FOLDER/order"),
            "exited": shell("echo -$BEACOND_BEACON_MINOR >> $FOLDER/order"),
        ])
        for _ in 0..<10 {
            bench.hub.publish(.ranging(.entered(hall)))
            bench.hub.publish(.ranging(.nearest(hall, previous: nil)))
            bench.hub.publish(.ranging(.exited(shop)))
        }
        try await bench.waitUntil("all ran") { bench.file("order").split(separator: "\n").count >= 20 }
        #expect(bench.file("order") == String(repeating: "+2\n-3\n", count: 10))
        try await bench.stop()
    }

    @Test("so many run side by side as are allowed")
    func soMany() async throws {
        // Each waits for the others: with fewer places none would end.
        let bench = try Bench([
            "entered": shell(
                "touch $FOLDER/$BEACOND_EVENT_ID.here; while [ $(ls $FOLDER | grep -c here) -lt 3 ]; do sleep 0.01; "
                    + "done; echo x >> $FOLDER/done"
            )
        ]) { $0.parallel = 3 }
        for _ in 0..<3 { bench.hub.publish(.ranging(.entered(hall))) }
        try await bench.waitUntil("all are through") { bench.file("done").split(separator: "\n").count == 3 }
        try await bench.stop()
    }

    @Test("a command that takes too long is ended with all that it has started")
    func commandThatTakes() async throws {
        let bench = try Bench([
            "entered": shell("trap '' TERM; sleep 1000 & echo $! > $FOLDER/child; while :; do sleep 0.1; done"),
            "exited": shell("touch $FOLDER/after"),
        ]) { $0.timeout = 10 }
        bench.hub.publish(.ranging(.entered(hall)))
        bench.hub.publish(.ranging(.exited(hall)))
        try await bench.waitUntil("the next ran") { FileManager.default.fileExists(atPath: bench.folder + "/after") }
        #expect(
            bench.log.contains { $0.hasPrefix("warning: hook     entered: /bin/sh took longer than 10 s") },
            "\(bench.log)")
        let child = try #require(pid_t(bench.file("child").trimmingCharacters(in: .whitespacesAndNewlines)))
        // It may still be a zombie whose parent is gone.
        try await bench.waitUntil("the child is gone") {
            let state = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ""
            return state.isEmpty || state.contains(") Z")
        }
        try await bench.stop()
    }

    @Test("what it prints goes to the log, bounded and harmless")
    func whatItPrints() async throws {
        let bench = try Bench([
            "entered": shell(
                "printf 'one\\033[31m\\n\\377two\\n'; echo three >&2; printf four; yes | head -c 1000000 >&2"),
            "exited": shell("touch $FOLDER/after"),
        ])
        bench.hub.publish(.ranging(.entered(hall)))
        bench.hub.publish(.ranging(.exited(hall)))
        try await bench.waitUntil("the next ran") { FileManager.default.fileExists(atPath: bench.folder + "/after") }
        #expect(
            bench.log.starts(with: [
                "info: hook     entered: one\u{FFFD}[31m", "info: hook     entered: \u{FFFD}two",
                "info: hook     entered: three",
            ]))
        #expect(bench.log.count < 150)
        try await bench.stop()
    }

    @Test("a failure is told once until it changes")
    func failureIsTold() async throws {
        let codes =
            "echo x >> $FOLDER/runs; case $(wc -l < $FOLDER/runs) in 1|2|5) exit 3;; 3) exit 4;; *) exit 0;; esac"
        let bench = try Bench(["entered": shell(codes), "exited": shell("touch $FOLDER/after")])
        for _ in 0..<5 { bench.hub.publish(.ranging(.entered(hall))) }
        bench.hub.publish(.ranging(.exited(hall)))
        try await bench.waitUntil("all ran") { FileManager.default.fileExists(atPath: bench.folder + "/after") }
        try await bench.stop()
        #expect(bench.log.map { $0.suffix(12) } == ["ended with 3", "ended with 4", "ended with 3"])
    }

    @Test(
        "a program that cannot be run is told of, and the rest goes on",
        arguments: ["/no/such/program", "/etc/passwd", "/tmp"])
    func programThatCannot(program: String) async throws {
        let bench = try Bench(["entered": [program], "exited": shell("touch $FOLDER/after")])
        bench.hub.publish(.ranging(.entered(hall)))
        bench.hub.publish(.ranging(.exited(hall)))
        try await bench.waitUntil("the next ran") { FileManager.default.fileExists(atPath: bench.folder + "/after") }
        #expect(bench.log.contains { $0.contains("entered: \(program) cannot be run: ") }, "\(bench.log)")
        try await bench.stop()
    }

    @Test("a command that reads nothing, or leaves something running, holds up nobody")
    func commandThatReads() async throws {
        let bench = try Bench([
            "entered": shell("sleep 1000 & exec 0<&-; echo $! > $FOLDER/child"), "exited": shell("touch $FOLDER/after"),
        ])
        bench.hub.publish(.ranging(.entered(hall)))
        bench.hub.publish(.ranging(.exited(hall)))
        try await bench.waitUntil("the next ran") { FileManager.default.fileExists(atPath: bench.folder + "/after") }
        if let child = pid_t(bench.file("child").trimmingCharacters(in: .whitespacesAndNewlines)) {
            kill(child, SIGKILL)
        }
        try await bench.stop()
    }

    @Test("a flood of beacons is left out and counted, and another nearest beacon in it is not")
    func floodOfBeacons() async throws {
        let bench = try Bench([
            // Another kind, which has a limit of its own: the flood then comes within one window, however late.
            "exited": shell("touch $FOLDER/begun; while [ ! -e $FOLDER/go ]; do sleep 0.01; done"),
            "entered": shell("echo + >> $FOLDER/ran"),
            "nearest": shell("echo nearest >> $FOLDER/ran"),
        ])
        bench.hub.publish(.ranging(.exited(hall)))
        try await bench.waitUntil("it runs") { FileManager.default.fileExists(atPath: bench.folder + "/begun") }
        for minor: UInt16 in 100..<300 {
            bench.hub.publish(.ranging(.entered(BeaconID(uuid: hall.uuid, major: 1, minor: minor))))
        }
        bench.hub.publish(.ranging(.nearest(hall, previous: nil)))
        try "".write(toFile: bench.folder + "/go", atomically: true, encoding: .utf8)
        try await bench.waitUntil("the last ran") { bench.file("ran").hasSuffix("nearest\n") }
        try await bench.stop()
        let ran = bench.file("ran").split(separator: "\n").filter { $0 == "+" }.count
        let left = bench.log.compactMap { Int($0.dropFirst("warning: hooks    ".count).prefix { $0.isNumber }) }.reduce(
            0, +)
        #expect(ran == 100 && left == 100, "\(ran) \(bench.log)")
    }

    @Test("the end waits for a running command, but not for ever")
    func endWaits() async throws {
        let bench = try Bench([
            // No other program is started when it is asked to end: two seconds later it is killed.
            "entered": shell(
                "trap ': > $FOLDER/asked; exit 0' TERM; touch $FOLDER/begun; while :; do sleep 0.05; done")
        ])
        bench.hub.publish(.ranging(.entered(hall)))
        try await bench.waitUntil("it runs") { FileManager.default.fileExists(atPath: bench.folder + "/begun") }
        try await bench.stop()
        #expect(FileManager.default.fileExists(atPath: bench.folder + "/asked"))
    }

    @Test("events that wait at the end get their commands, also those that happened just before")
    func endRuns() async throws {
        let bench = try Bench(
            [
                "entered": shell("touch $FOLDER/begun; while [ ! -e $FOLDER/go ]; do sleep 0.01; done"),
                "exited": shell("echo + >> $FOLDER/ran"),
            ], grace: .seconds(300))
        bench.hub.publish(.ranging(.entered(hall)))
        try await bench.waitUntil("it runs") { FileManager.default.fileExists(atPath: bench.folder + "/begun") }
        for _ in 0..<3 { bench.hub.publish(.ranging(.exited(hall))) }
        async let end: Void = bench.stop()
        try "".write(toFile: bench.folder + "/go", atomically: true, encoding: .utf8)
        try await end
        #expect(bench.file("ran") == "+\n+\n+\n")
        #expect(!bench.log.contains { $0.contains("stopped") }, "\(bench.log)")
    }

    @Test("after a reload each event gets one command, also what happened while the settings changed")
    func reloadRuns() async throws {
        let former = try Bench(["entered": shell("echo former >> $FOLDER/ran")], grace: .seconds(300))
        let subscription = former.hub.subscribe()
        former.hub.publish(.ranging(.entered(hall)))
        try await former.waitUntil("it ran") { !former.file("ran").isEmpty }
        former.hub.publish(.ranging(.entered(shop)))
        try await former.stop(isReload: true)
        former.hub.publish(.ranging(.entered(hall)))
        let new = try Bench(["entered": shell("echo new >> $FOLDER/ran")], grace: .seconds(300),
            after: (former, subscription))
        try await new.waitUntil("the new one ran") { new.file("ran").contains("new") }
        try await new.stop()
        #expect(new.file("ran") == "former\nformer\nnew\n")
    }

    @Test("what had no command before a reload gets the new one, once and in order")
    func reloadHandsOver() async throws {
        let busy = shell("touch $FOLDER/begun; while :; do sleep 0.05; done")
        let former = try Bench(
            ["entered": busy, "exited": shell("echo former >> $FOLDER/ran"), "nearest": shell("exit 0")], grace: .zero)
        let subscription = former.hub.subscribe()
        former.hub.publish(.ranging(.entered(hall)))
        try await former.waitUntil("it runs") { FileManager.default.fileExists(atPath: former.folder + "/begun") }
        for _ in 0..<3 { former.hub.publish(.ranging(.exited(hall))) }
        former.hub.publish(.ranging(.nearest(hall, previous: nil)))
        try await former.stop(isReload: true)
        #expect(former.file("ran").isEmpty)
        former.hub.publish(.ranging(.exited(shop)))
        let new = try Bench(
            [
                "entered": shell("echo again >> $FOLDER/ran"),
                "exited": shell("echo $BEACOND_BEACON_MINOR $BEACOND_EVENT_ID >> $FOLDER/ran"),
            ], grace: .seconds(300), after: (former, subscription))
        try await new.waitUntil("all ran") { new.file("ran").split(separator: "\n").count >= 4 }
        try await new.stop()
        let ran = new.file("ran").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(ran.map(\.first) == ["2", "2", "2", "3"])
        let ids = ran.compactMap { $0.last.flatMap { Int($0) } }
        #expect(ids.count == 4 && Set(ids).count == 4 && ids == ids.sorted(), "\(ids)")
        let told = (former.log + new.log).filter { $0.contains("not passed") }
        #expect(told == ["warning: hooks    1 event was not passed to the hook nearest: it was removed"])
    }

    @Test("the log says how many events were not passed to which hook at the end")
    func endTells() async throws {
        let bench = try Bench(
            [
                "entered": shell("touch $FOLDER/begun; while :; do sleep 0.05; done"),
                "exited": shell("touch $FOLDER/ran"),
            ], grace: .zero)
        bench.hub.publish(.ranging(.entered(hall)))
        try await bench.waitUntil("it runs") { FileManager.default.fileExists(atPath: bench.folder + "/begun") }
        for _ in 0..<3 { bench.hub.publish(.ranging(.exited(hall))) }
        bench.hub.publish(.ranging(.entered(shop)))
        try await bench.stop()
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/ran"))
        let told = bench.log.filter { $0.contains("stopped") }
        #expect(
            told == [
                "warning: hooks    1 event was not passed to the hook entered: stopped",
                "warning: hooks    3 events were not passed to the hook exited: stopped",
            ], "\(bench.log)")
    }

    @Test("a command has no blocked signals and no descriptors of the daemon")
    func commandHasNoBlocked() async throws {
        let bench = try Bench([
            "entered": shell(
                "grep -E '^Sig(Blk|Ign)' /proc/self/status > $FOLDER/new; ls /proc/self/fd >> $FOLDER/new; mv "
                    + "$FOLDER/new $FOLDER/state"
            )
        ])
        bench.hub.publish(.ranging(.entered(hall)))
        try await bench.waitUntil("it ran") { !bench.file("state").isEmpty }
        let lines = bench.file("state").split(separator: "\n").map(String.init)
        for name in ["SigBlk", "SigIgn"] {
            let digits = try #require(lines.first { $0.hasPrefix(name) }?.suffix(16))
            // 32 and 33 are glibc's own.
            #expect(try #require(UInt64(digits, radix: 16)) & 0x7FFF_FFFF == 0, "\(name) \(digits)")
        }
        // `ls` has its own descriptor of the folder.
        #expect(Set(lines.filter { Int($0) != nil }).isSubset(of: ["0", "1", "2", "3"]))
        try await bench.stop()
    }
}

@Suite("The lines of a command")
struct OutputLinesTests {
    @Test("are the same however they come")
    func areSame() {
        var generator = SeededGenerator(seed: 9)
        let bytes = (0..<20_000).map { _ in
            Int.random(in: 0..<10, using: &generator) == 0
                ? UInt8(ascii: "\n") : UInt8.random(in: .min ... .max, using: &generator)
        }
        var whole = OutputLines()
        let expected = whole.take(bytes) + whole.end()
        var pieces = OutputLines()
        var (lines, place): ([String], Int) = ([], 0)
        while place < bytes.count {
            let count = min(bytes.count - place, Int.random(in: 1...300, using: &generator))
            lines += pieces.take(bytes[place..<place + count])
            place += count
        }
        lines += pieces.end()
        #expect(lines == expected)
        #expect(lines.count == 101)
        #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
    }

    @Test("are cut where they are long")
    func areCut() {
        var lines = OutputLines()
        let complete = lines.take(Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
        let rest = lines.end()
        #expect(complete.isEmpty)
        #expect(rest.map(\.count) == [1000])
    }
}
