import Foundation
import Testing
import TestSupport

/// The systemd units, as systemd itself judges them.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: Programs.installed("systemd-analyze") != nil, "systemd-analyze is not installed"))
struct UnitFileTests {
    private func analyze(_ arguments: String...) async throws -> RunningProgram.Outcome {
        try await RunningProgram.run(try #require(Programs.installed("systemd-analyze")), arguments)
    }

    @Test("beacon-advertise@.service has no mistake, and little to attack")
    func advertise() async throws {
        let folder = try TemporaryFolder()
        let unit = try String(
            contentsOfFile: Programs.project + "/systemd/beacon-advertise@.service", encoding: .utf8)
        // Where the program is installed later is not there yet.
        let path = "\(folder)/beacon-advertise@lobby.service"
        try unit.replacing("/usr/bin/beacon-advertise", with: Programs.beaconAdvertise).write(
            toFile: path, atomically: false, encoding: .utf8)
        // The manual is made with the packages.
        let verdict = try await analyze("verify", "--man=no", path)
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(!verdict.errors.contains("Unknown key"), "\(verdict.errors)")

        // In tenths: 0 is nothing to attack, 100 is everything.
        let exposure = try await analyze("security", "--offline=yes", "--threshold=25", path)
        #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
    }

    @Test("beacond.service has no mistake, little to attack, and limits")
    func daemon() async throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOfFile: Programs.project + "/systemd/beacond.service", encoding: .utf8)
        // The sockets are not installed here.
        let path = "\(folder)/beacond.service"
        try unit.replacing("/usr/bin/beacond", with: Programs.beacond)
            .replacing("/usr/bin/beaconctl", with: Programs.beaconctl).replacing(
                "beacond.socket beacond-network.socket", with: ""
            )
            .write(toFile: path, atomically: false, encoding: .utf8)
        let verdict = try await analyze("verify", "--man=no", path)
        #expect(!verdict.errors.contains("beacond.service:"), "\(verdict.errors)")
        let exposure = try await analyze("security", "--offline=yes", "--threshold=16", path)
        #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
        for limit in ["LimitNOFILE=", "MemoryMax=", "TasksMax="] { #expect(unit.contains("\n\(limit)"), "\(limit)") }
    }

    @Test("beacon-content-server.service has no mistake, little to attack, and limits")
    func contentServer() async throws {
        let folder = try TemporaryFolder()
        let name = "beacon-content-server"
        let unit = try String(contentsOfFile: Programs.project + "/systemd/\(name).service", encoding: .utf8)
        let path = "\(folder)/\(name).service"
        try unit.replacing("/usr/bin/\(name)", with: Programs.path(of: name))
            .write(toFile: path, atomically: false, encoding: .utf8)
        let verdict = try await analyze("verify", "--man=no", path)
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(!verdict.errors.contains("Unknown key"), "\(verdict.errors)")
        let exposure = try await analyze("security", "--offline=yes", "--threshold=25", path)
        #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
        for limit in ["LimitNOFILE=", "MemoryMax=", "TasksMax="] { #expect(unit.contains("\n\(limit)"), "\(limit)") }
    }

    @Test("beacon-fleet.service has no mistake, little to attack, and limits")
    func fleet() async throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOfFile: Programs.project + "/systemd/beacon-fleet.service", encoding: .utf8)
        let path = "\(folder)/beacon-fleet.service"
        try unit.replacing("/usr/bin/beacon-fleet", with: Programs.path(of: "beacon-fleet"))
            .write(toFile: path, atomically: false, encoding: .utf8)
        let verdict = try await analyze("verify", "--man=no", path)
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(!verdict.errors.contains("Unknown key"), "\(verdict.errors)")
        let exposure = try await analyze("security", "--offline=yes", "--threshold=12", path)
        #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
        for limit in ["LimitNOFILE=", "MemoryMax=", "TasksMax="] { #expect(unit.contains("\n\(limit)"), "\(limit)") }
    }

    @Test("beacond-kiosk.service has no mistake")
    func kiosk() async throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOfFile: Programs.project + "/systemd/beacond-kiosk.service", encoding: .utf8)
        // cage need not be installed here.
        let path = "\(folder)/beacond-kiosk.service"
        try unit.replacing("/usr/bin/cage", with: "/bin/true").write(toFile: path, atomically: false, encoding: .utf8)
        let verdict = try await analyze("verify", "--man=no", path)
        #expect(verdict.status == 0, "\(verdict.errors)")
        #expect(!verdict.errors.contains("Unknown key"), "\(verdict.errors)")
        // An upgrade of the package waits for the start: it must not wait for the page.
        #expect(!unit.contains("ExecStartPre=") && !unit.contains("TimeoutStartSec="))
    }
}
