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
