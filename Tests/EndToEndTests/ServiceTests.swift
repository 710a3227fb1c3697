import Foundation
import Synchronization
import TestSupport
import Testing

/// beacond as systemd starts it, and its configuration checked from outside.
@Suite(.timeLimit(.minutes(10)))
struct ServiceTests {
    @Test("systemd is told that it is ready, how it is, and that it lives")
    func notifies() async throws {
        let folder = try TemporaryFolder()
        let notices = try NotifySocket(path: "\(folder)/notify")
        let daemon = try RunningProgram(
            Programs.beacond, ["--source", "sim", "--state-dir", "\(folder)/state"],
            environment: ["NOTIFY_SOCKET": notices.path])
        let told = Mutex("")
        try await daemon.waitUntil("systemd knows the nearest beacon") { _ in
            told.withLock { told in
                told += notices.received()
                return told.contains("STATUS=nearest: ") && told.contains("in range") && told.contains("WATCHDOG=1")
            }
        }
        #expect(told.withLock { $0.hasPrefix("READY=1\n") })
        #expect(try await daemon.stop().status == 0)
        #expect(notices.received().contains("STOPPING=1"))
    }

    @Test("a reload as soon as it is ready does not end it")
    func earlyReload() async throws {
        let folder = try TemporaryFolder()
        let notices = try NotifySocket(path: "\(folder)/notify")
        let daemon = try RunningProgram(
            Programs.beacond, ["--config", "/dev/null", "--source", "sim", "--state-dir", "\(folder)/state"],
            environment: ["NOTIFY_SOCKET": notices.path])
        try await daemon.waitUntil("it is ready") { _ in notices.received().contains("READY=1") }
        daemon.signal(SIGHUP)
        daemon.signal(SIGUSR1)
        try await daemon.waitUntil("it ranges") { $0.errors.contains("nearest  ") }
        #expect(try await daemon.stop().status == 0)
    }

    @Test("a manager that reads nothing holds nothing up")
    func slowManager() async throws {
        let folder = try TemporaryFolder()
        let notices = try NotifySocket(path: "\(folder)/notify")
        try notices.fill()
        let daemon = try RunningProgram(
            Programs.beacond, ["--config", "/dev/null", "--source", "sim", "--state-dir", "\(folder)/state"],
            environment: ["NOTIFY_SOCKET": notices.path])
        try await daemon.waitUntil("it ranges") { $0.errors.contains("nearest  ") }
        daemon.signal(SIGHUP)
        try await daemon.waitUntil("it has reloaded") { $0.errors.contains("settings applied") }
        let told = Mutex("")
        try await daemon.waitUntil("the manager gets the rest, of each kind the newest") { _ in
            told.withLock { told in
                told += notices.received()
                return told.contains("READY=1") && told.contains("RELOADING=1") && told.contains("STATUS=nearest")
            }
        }
        try notices.fill()
        #expect(try await daemon.stop().status == 0)
    }

    @Test("a scanner that cannot hear gives the watchdog nothing")
    func blind() async throws {
        let folder = try TemporaryFolder()
        let notices = try NotifySocket(path: "\(folder)/notify")
        let daemon = try RunningProgram(
            Programs.beacond, ["--source", "h4:unix:\(folder)/nobody", "--state-dir", "\(folder)/state"],
            environment: ["NOTIFY_SOCKET": notices.path])
        let told = Mutex("")
        try await daemon.waitUntil("it has said so again") { _ in
            told.withLock { told in
                told += notices.received()
                return told.components(separatedBy: "STATUS=blind").count > 2
            }
        }
        #expect(!told.withLock { $0.contains("WATCHDOG=1") })
        #expect(try await daemon.stop().status == 0)
    }

    @Test("a configuration is checked with all its mistakes and their lines")
    func check() async throws {
        let folder = try TemporaryFolder()
        try "sources: [sim, moon]\nscan:\n  profil: dedicated\n".write(
            toFile: "\(folder)/bad.yaml", atomically: false, encoding: .utf8)
        let bad = try await RunningProgram.run(Programs.beaconctl, ["config", "check", "\(folder)/bad.yaml"])
        #expect(bad.status == 1)
        #expect(bad.errors.contains("bad.yaml:3:") && bad.errors.contains("profil"), "\(bad.errors)")
        try "sources: [sim]\n".write(toFile: "\(folder)/good.yaml", atomically: false, encoding: .utf8)
        let good = try await RunningProgram.run(Programs.beaconctl, ["config", "check", "\(folder)/good.yaml"])
        #expect(good.status == 0)
        #expect(good.output == "\(folder)/good.yaml is good: listens on sim, no content site\n")
    }
}

/// What cannot be begun is said at once, and nowhere told as begun.
@Suite(.timeLimit(.minutes(10)))
struct RefusedStartTests {
    @Test(
        "started to answer somebody, it says what is wrong, is started once, and goes on when the file is corrected",
        .enabled(if: SocketActivation.isInstalled, "\(SocketActivation.missing)"))
    func asked() async throws {
        let folder = try TemporaryFolder()
        let (socket, file) = ("\(folder)/control.sock", "\(folder)/beacond.yaml")
        let notices = try NotifySocket(path: "\(folder)/notify")
        try "sources: [sim]\nscan:\n  profil: x\n".write(toFile: file, atomically: true, encoding: .utf8)
        // Each start is a line.
        try await writeScript(
            "#!/bin/sh\necho start >>'\(folder)/starts'\nexec '\(Programs.beacond)' \"$@\"\n", to: "\(folder)/start")
        let daemon = try await SocketActivation.start(
            socket, variables: ["BEACOND_CONTROL_SOCKET": "none", "NOTIFY_SOCKET": notices.path],
            ["\(folder)/start", "--config", file, "--state-dir", "\(folder)/state"])
        for path in ["/v1/status", "/", "/v1/ranging", "/healthz", "/v1/status"] {
            let answer = try await RawConnection(unix: socket).ask(path)
            #expect(answer.status == 503)
            let body = String(decoding: answer.body, as: UTF8.self)
            #expect(body.contains(#""problems":["\#(file):3:3: 'profil' is not known in scan"#), "\(body)")
        }
        let status = try await RunningProgram.run(Programs.beaconctl, ["status", "--socket", socket])
        #expect(status.status == 1)
        #expect(status.errors.contains("it has 1 mistake; correct it"), "\(status.errors)")
        #expect(status.errors.contains("\n\(file):3:3: "), "\(status.errors)")
        let reload = try await RunningProgram.run(Programs.beaconctl, ["config", "reload", "--socket", socket])
        #expect(reload.status == 1 && reload.errors.contains("\n\(file):3:3: "), "\(reload.errors)")
        var told = ""
        try await waitUntil("systemd is told both") {
            told += notices.received()
            return told.contains("READY=1")
                && told.contains("STATUS=the configuration cannot be used: \(file):3:3: ")
        }
        #expect(daemon.errors.components(separatedBy: "\(file):3:3:").count == 2, "told once: \(daemon.errors)")

        try "sources: [sim]\n".write(toFile: file, atomically: true, encoding: .utf8)
        try await daemon.waitUntil("it goes on") { $0.errors.contains("listening on sim") }
        let answer = try await RawConnection(unix: socket).ask("/v1/status")
        #expect(answer.status == 200)
        #expect(try String(contentsOfFile: "\(folder)/starts", encoding: .utf8) == "start\n")
        #expect(try await daemon.stop().status == 0)
    }

    @Test("started by hand it ends with 2")
    func byHand() async throws {
        let folder = try TemporaryFolder()
        let notices = try NotifySocket(path: "\(folder)/notify")
        try "scan:\n  profil: x\n".write(toFile: "\(folder)/f.yaml", atomically: true, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beacond, ["--config", "\(folder)/f.yaml"], environment: ["NOTIFY_SOCKET": notices.path])
        #expect(end.status == 2 && end.errors.contains("f.yaml:2:3: "), "\(end.errors)")
        #expect(
            notices.received()
                == "STATUS=the configuration cannot be used: \(folder)/f.yaml:2:3: 'profil' is not known "
                + "in scan: did you mean 'profile'?\n")
    }

    @Test("a source whose file is not there, or is no capture, is not told as listened to")
    func noCapture() async throws {
        let folder = try TemporaryFolder()
        let missing = try await RunningProgram.run(
            Programs.beacond, ["--source", "file:\(folder)/none", "--config", "/dev/null"])
        #expect(missing.status == 2)
        #expect(
            missing.errors.contains("--source: \(folder)/none: cannot be read: No such file or directory"),
            "\(missing.errors)")
        try String(repeating: "no capture at all ", count: 20).write(
            toFile: "\(folder)/noise", atomically: true, encoding: .utf8)
        let daemon = try RunningProgram(
            Programs.beacond,
            ["--source", "file:\(folder)/noise", "--config", "/dev/null", "--state-dir", "\(folder)/state"])
        try await daemon.waitUntil("it says so") { $0.errors.contains("noise lost: ") }
        #expect(!daemon.errors.contains("listening on") && !daemon.errors.contains("scanner  ok"), "\(daemon.errors)")
        #expect(try await daemon.stop().status == 0)
    }

    @Test("all of a capture is ranked, also what is heard just before its end")
    func endOfCapture() async throws {
        let folder = try TemporaryFolder()
        let rows = [
            "time,uuid,major,minor,measured_power,rssi",
            "1767225600,e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,2,-59,-70",
            "1767225600.01,e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,2,-59,-70",
        ]
        try (rows.joined(separator: "\n") + "\n").write(toFile: "\(folder)/walk.csv", atomically: true, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beacond,
            [
                "--source", "file:\(folder)/walk.csv", "--config", "/dev/null", "--state-dir", "\(folder)/state",
                "--socket", "\(folder)/control.sock",
            ])
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.errors.contains("entered  E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 1.2"), "\(end.errors)")
    }

    private static let isConfigured = FileManager.default.fileExists(atPath: "/etc/beacond/beacond.yaml")

    @Test(
        "a configuration that is not there is not good",
        .enabled(if: !isConfigured, "this computer has one at /etc/beacond/beacond.yaml"))
    func noFile() async throws {
        let end = try await RunningProgram.run(Programs.beaconctl, ["config", "check"])
        #expect(end.status == 1)
        #expect(end.errors.contains("/etc/beacond/beacond.yaml is not there"), "\(end.errors)")
    }

    @Test(
        "a user without rights looks around without a warning, and is told where state is kept",
        .enabled(if: OtherUser.isAvailable, OtherUser.condition))
    func anybody() async throws {
        // The tests' own folder is for their user alone.
        let folder = "/tmp/beacond-anybody-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(chown(folder, 65534, 65534) == 0)
        let home: [String: String?] = [
            "HOME": folder, "XDG_RUNTIME_DIR": nil, "XDG_STATE_HOME": nil, "XDG_CACHE_HOME": nil,
            "BEACOND_CONTROL_SOCKET": nil,
        ]
        let daemon = try RunningProgram(
            "setpriv", OtherUser.options + [Programs.beacond, "--source", "sim"], environment: home)
        try await daemon.waitUntil("something is near") { $0.errors.contains("nearest  ") }
        let state = "\(folder)/.local/state/beacond"
        // A busy machine may keep the emulated controller from answering, which is another matter.
        let warnings = daemon.errorLines.filter { $0.contains("warning") }
        #expect(warnings.allSatisfy { $0.contains("scanner  blind") || $0.contains("sim lost: ") }, "\(daemon.errors)")
        #expect(
            daemon.errors.contains("state is kept in \(state), since /var/lib/beacond is not for this user to write"))
        let status = try await eventually("it can be asked") {
            let status = try await RunningProgram.run(
                "setpriv", OtherUser.options + [Programs.beaconctl, "status"], environment: home)
            return status.status == 0 ? status : nil
        }
        #expect(status.output.contains("sim: listening"), "\(status.output)")
        #expect(try await daemon.stop().status == 0)
    }
}

/// A configuration that changes while the daemon runs.
@Suite(.timeLimit(.minutes(10)))
struct ReloadTests {
    /// A daemon that listens to the museum, and what it has logged.
    private func daemon(_ folder: String, _ yaml: String) throws -> RunningProgram {
        try write(yaml, folder)
        return try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--state-dir", "\(folder)/state", "--socket",
                "\(folder)/control.sock",
            ], environment: ["NOTIFY_SOCKET": "\(folder)/notify"])
    }

    /// As the unit's ExecReload=.
    private func reload(_ folder: String) async throws -> RunningProgram.Outcome {
        try await RunningProgram.run(Programs.beaconctl, ["config", "reload", "--socket", "\(folder)/control.sock"])
    }

    /// As editors do: another file in its place.
    private func write(_ yaml: String, _ folder: String) throws {
        try yaml.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
    }

    @Test("a reload to the state of another daemon is refused, and works when that one has ended")
    func stateOfAnother() async throws {
        let folder = try TemporaryFolder()
        let first = try RunningProgram(
            Programs.beacond, ["--config", "/dev/null", "--source", "sim", "--state-dir", "\(folder)/first"])
        try await first.waitUntil("something is near") { $0.errors.contains("nearest  ") }
        let yaml = "sources: [sim]\ndirectories: {state: \"\(folder)/second\"}\n"
        try write(yaml, "\(folder)")
        let second = try RunningProgram(
            Programs.beacond, ["--config", "\(folder)/beacond.yaml", "--socket", "\(folder)/control.sock"])
        try await second.waitUntil("something is near, and it can be asked") {
            $0.errors.contains("nearest  ") && FileManager.default.fileExists(atPath: "\(folder)/control.sock")
        }
        try write(yaml.replacingOccurrences(of: "second", with: "first"), "\(folder)")
        let refused = try await reload("\(folder)")
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("directories.state: \(folder)/first: another beacond keeps its state there"),
            "\(refused.errors)")
        #expect(try await first.stop().status == 0)
        let applied = try await reload("\(folder)")
        #expect(applied.status == 0, "\(applied.errors)")
        #expect(try await second.stop().status == 0)
    }

    @Test("a good one is applied where the file changes, and nobody enters anew by it")
    func applied() async throws {
        let folder = try TemporaryFolder()
        let notices = try NotifySocket(path: "\(folder)/notify")
        let daemon = try daemon(folder.path, "sources: [sim]\n")
        try await daemon.waitUntil("beacons are there") { daemon in
            _ = notices.received()
            return daemon.errors.contains("nearest  ")
        }
        try write("sources: [sim]\nranging:\n  near_m: 2.5\n", folder.path)
        // Read meanwhile: the kernel keeps ten, and a slow machine tells more.
        let told = Mutex("")
        try await daemon.waitUntil("it is applied") { daemon in
            told.withLock { $0 += notices.received() }
            return daemon.errors.contains("settings applied: ranging uses new settings")
        }
        try await daemon.waitUntil("systemd is told of the reload") { _ in
            told.withLock { told in
                told += notices.received()
                return told.contains("RELOADING=1\nMONOTONIC_USEC=")
            }
        }
        var present: Set<Substring> = []
        for line in daemon.errorLines {
            let words = line.split(separator: "  ", maxSplits: 1)
            guard words.count == 2 else { continue }
            if words[0].hasSuffix("entered") { #expect(present.insert(words[1]).inserted, "twice: \(line)") }
            if words[0].hasSuffix("exited") { present.remove(words[1]) }
        }
        #expect(!present.isEmpty)
        // A busy machine may keep the emulated controller from answering, which is another matter.
        let isLost = daemon.errors.contains("sim lost: ")
        #expect(daemon.errors.components(separatedBy: "listening on sim").count == 2 || isLost)
        #expect(!daemon.errors.contains("blind") || isLost)
        #expect(try await daemon.stop().status == 0)
    }

    @Test("a bad one is refused with its line, and the old one goes on")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon(folder.path, "sources: [sim]\n")
        try await daemon.waitUntil("it listens") { $0.errors.contains("listening on sim") }
        let start = ContinuousClock.now
        try write("sources: [sim]\nscan:\n  profil: x\n", folder.path)
        try await daemon.waitUntil("it is refused") {
            $0.errors.contains("settings not applied, the old ones stay in use: \(folder)/beacond.yaml:3:")
        }
        let asked = try await reload(folder.path)
        #expect(asked.status == 1)
        #expect(
            asked.errors.contains("the configuration is refused: it has 1 mistake; the old one stays in use"),
            "\(asked.errors)")
        #expect(asked.errors.contains("\n\(folder)/beacond.yaml:3:3: 'profil' is not known in scan"), "\(asked.errors)")
        // It was told when the file changed. Who asks after 30 s is told again, as on a busy machine.
        let isSoon = ContinuousClock.now - start < .seconds(30)
        let count = daemon.errors.components(separatedBy: "settings not applied").count
        #expect(count == 2 || !isSoon, "\(daemon.errors)")
        try write("sources: [sim, sim]\n", folder.path)
        try await daemon.waitUntil("what is mended is applied") { $0.errors.contains("source sim (2) started") }
        #expect(try await reload(folder.path).status == 0)
        try await daemon.waitUntil("and listened to") {
            $0.errors.components(separatedBy: "listening on sim").count > 2
        }
        // One that is over stays so when something else is reloaded: the daemon ends when the others are over too.
        let capture = "\(folder)/one.csv"
        try "time,scanner,uuid,major,minor,measured_power,rssi\n1,x,636F3F8F-6491-4BEE-95F7-D8CC64A863B5,1,1,-59,-60\n"
            .write(toFile: capture, atomically: true, encoding: .utf8)
        try write("sources: [\"file:\(capture)\", sim]\n", folder.path)
        try await daemon.waitUntil("the capture is over") { $0.errors.contains("one.csv has ended") }
        try write("sources: [\"file:\(capture)\", sim]\nranging: {near_m: 2}\n", folder.path)
        try await daemon.waitUntil("it is applied") { $0.errors.contains("ranging uses new settings\n") }
        try write("sources: [\"file:\(capture)\"]\nranging: {near_m: 2}\n", folder.path)
        try await daemon.waitUntil("the other is ended") { $0.errors.contains("source sim ended") }
        #expect(try await daemon.stop().status == 0)
    }
}
