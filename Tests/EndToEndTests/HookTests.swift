import Foundation
import TestSupport
import Testing

@Suite("Hooks, of the daemon", .timeLimit(.minutes(10)))
struct HookTests {
    @Test("see a walk as the log does, and a reload gives them other commands")
    func seeWalk() async throws {
        let folder = try temporaryFolder("hooks-daemon")
        func configure(_ file: String) throws {
            let text = """
                sources: [sim]
                directories: {state: \(folder)/state, cache: \(folder)/cache}
                control: {socket: \(folder)/control.sock}
                hooks:
                  nearest: [/bin/sh, -c, 'echo "nearest  $BEACOND_BEACON_NAME" >> \(folder)/\(file)']

                """
            try text.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        }
        func lines(_ file: String) -> [String] {
            let text = (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }
        try configure("first")
        let daemon = try RunningProgram(Programs.beacond, ["--config", "\(folder)/beacond.yaml"])
        try await daemon.waitUntil("a hook has run") { _ in !lines("first").isEmpty }
        try configure("second")
        daemon.signal(SIGHUP)
        try await daemon.waitUntil("the new one has run") { _ in !lines("second").isEmpty }
        try await daemon.waitUntil("it says so") { $0.errors.contains("hooks restarted") }
        func logged() -> [String] {
            let texts = daemon.errorLines.map { $0.drop { $0 != " " }.dropFirst() }
            return texts.filter { $0.hasPrefix("nearest  ") }.map { String($0) }
        }
        let ran = lines("first") + lines("second")
        // A hook is woken before the line is written.
        try await daemon.waitUntil("the log has as many") { _ in logged().count >= ran.count }
        #expect(logged().starts(with: ran))
        #expect(try await daemon.stop().status == 0)
    }

    @Test("that are removed while events wait tell how many, once", arguments: [true, false])
    func waitingEvents(byReload: Bool) async throws {
        let folder = try temporaryFolder("hooks-waiting")
        func configure(_ hooks: String) throws {
            let text = """
                sources: [sim]
                directories: {state: \(folder)/state, cache: \(folder)/cache}
                control: {socket: \(folder)/control.sock}
                \(hooks)

                """
            try text.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        }
        try configure("hooks: {entered: [/bin/sh, -c, 'echo >> \(folder)/ran; exec sleep 300']}")
        let daemon = try RunningProgram(Programs.beacond, ["--config", "\(folder)/beacond.yaml"])
        try await daemon.waitUntil("a hook runs, and others wait") {
            FileManager.default.fileExists(atPath: "\(folder)/ran")
                && $0.errorLines.count { $0.contains("entered  ") } > 2
        }
        let told = "not passed to the hook entered: stopped"
        if byReload {
            try configure("# no hooks")
            daemon.signal(SIGHUP)
            try await daemon.waitUntil("it tells of them") { $0.errors.contains(told) }
        }
        let end = try await daemon.stop()
        #expect(end.status == 0 && end.errors.split(separator: "\n").count { $0.contains(told) } == 1, "\(end.errors)")
    }

    @Test("are noticed to end, also where whoever has started the daemon ignores SIGCHLD")
    func ignoredSignal() async throws {
        let folder = try temporaryFolder("hooks-signal")
        let text = """
            sources: [sim]
            directories: {state: \(folder)/state, cache: \(folder)/cache}
            control: {socket: \(folder)/control.sock}
            hooks: {nearest: [/bin/sh, -c, 'exit 3']}

            """
        try text.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningProgram(
            "/usr/bin/env", ["--ignore-signal=CHLD", Programs.beacond, "--config", "\(folder)/beacond.yaml"])
        try await daemon.waitUntil("a hook has ended") { $0.errors.contains("nearest: /bin/sh ended with 3") }
        #expect(try await daemon.stop().status == 0)
    }
}
