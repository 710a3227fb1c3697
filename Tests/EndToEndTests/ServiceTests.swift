import Foundation
import Synchronization
import Testing
import TestSupport

/// beacond as systemd starts it, and its configuration checked from outside.
@Suite(.timeLimit(.minutes(3)))
struct ServiceTests {
    @Test("systemd is told that it is ready, how it is, and that it lives")
    func notifies() async throws {
        let folder = try temporaryFolder("service")
        defer { try? FileManager.default.removeItem(atPath: folder) }
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

    @Test("a scanner that cannot hear gives the watchdog nothing")
    func blind() async throws {
        let folder = try temporaryFolder("service")
        defer { try? FileManager.default.removeItem(atPath: folder) }
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
        let folder = try temporaryFolder("service")
        defer { try? FileManager.default.removeItem(atPath: folder) }
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

/// A configuration that changes while the daemon runs.
@Suite(.timeLimit(.minutes(3)))
struct ReloadTests {
    /// A daemon that listens to the museum, and what it has logged.
    private func daemon(_ folder: String, _ yaml: String) throws -> RunningProgram {
        try write(yaml, folder)
        return try RunningProgram(
            Programs.beacond, ["--config", "\(folder)/beacond.yaml", "--state-dir", "\(folder)/state"],
            environment: ["NOTIFY_SOCKET": "\(folder)/notify"])
    }

    /// As editors do: another file in its place.
    private func write(_ yaml: String, _ folder: String) throws {
        try yaml.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
    }

    @Test("a good one is applied where the file changes, and nobody enters anew by it")
    func applied() async throws {
        let folder = try temporaryFolder("reload")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let notices = try NotifySocket(path: "\(folder)/notify")
        let daemon = try daemon(folder, "sources: [sim]\n")
        try await daemon.waitUntil("beacons are there") { $0.errors.contains("nearest  ") }
        try write("sources: [sim]\nranging:\n  near_m: 2.5\n", folder)
        try await daemon.waitUntil("it is applied") { $0.errors.contains("settings applied: ranging goes on") }
        var present: Set<Substring> = []
        for line in daemon.errorLines {
            let words = line.split(separator: "  ", maxSplits: 1)
            guard words.count == 2 else { continue }
            if words[0].hasSuffix("entered") { #expect(present.insert(words[1]).inserted, "twice: \(line)") }
            if words[0].hasSuffix("exited") { present.remove(words[1]) }
        }
        #expect(!present.isEmpty)
        #expect(daemon.errors.components(separatedBy: "listening on sim").count == 2)
        #expect(!daemon.errors.contains("blind"))
        #expect(notices.received().contains("RELOADING=1\nMONOTONIC_USEC="))
        #expect(try await daemon.stop().status == 0)
    }

    @Test("a bad one is refused with its line, and the old one goes on")
    func refused() async throws {
        let folder = try temporaryFolder("reload")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try daemon(folder, "sources: [sim]\n")
        try await daemon.waitUntil("it listens") { $0.errors.contains("listening on sim") }
        try write("sources: [sim]\nscan:\n  profil: x\n", folder)
        try await daemon.waitUntil("it is refused") {
            $0.errors.contains("settings not applied, the old ones go on: \(folder)/beacond.yaml:3:")
        }
        daemon.signal(SIGHUP)
        try await daemon.waitUntil("who asks is answered") {
            $0.errors.components(separatedBy: "settings not applied").count > 2
        }
        try write("sources: [sim, sim]\n", folder)
        try await daemon.waitUntil("what is mended is applied") { $0.errors.contains("source sim (2) begun") }
        try await daemon.waitUntil("and listened to") { $0.errors.components(separatedBy: "listening on sim").count > 2 }
        // One that is over stays so when something else is reloaded: the daemon ends when the others are over too.
        let capture = "\(folder)/one.csv"
        try "time,scanner,uuid,major,minor,measured_power,rssi\n1,x,636F3F8F-6491-4BEE-95F7-D8CC64A863B5,1,1,-59,-60\n"
            .write(toFile: capture, atomically: true, encoding: .utf8)
        try write("sources: [\"file:\(capture)\", sim]\n", folder)
        try await daemon.waitUntil("the capture is over") { $0.errors.contains("one.csv is over") }
        try write("sources: [\"file:\(capture)\", sim]\nranging: {near_m: 2}\n", folder)
        try await daemon.waitUntil("it is applied") { $0.errors.contains("ranging goes on with new settings\n") }
        try write("sources: [\"file:\(capture)\"]\nranging: {near_m: 2}\n", folder)
        try await daemon.waitUntil("the other is ended") { $0.errors.contains("source sim ended") }
        #expect(try await daemon.stop().status == 0)
    }
}
