import Foundation
import TestSupport
import Testing

/// `beaconctl name`, alone and with a daemon.
@Suite("Naming a beacon", .timeLimit(.minutes(10)))
struct NameTests {
    private static func name(_ arguments: String...) async throws -> RunningProgram.Outcome {
        try await RunningProgram.run(Programs.beaconctl, ["name"] + arguments)
    }

    @Test("writes it into the configuration, lists what is there, and removes it")
    func writing() async throws {
        let folder = try temporaryFolder("name")
        let file = "\(folder)/beacond.yaml"
        try "# ours\nscan: {active: true}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let options = ["--config", file, "--socket", "none"]
        let empty = try await RunningProgram.run(Programs.beaconctl, ["name"] + options)
        #expect(empty.output == "no beacon has a name in \(file): beaconctl name 1.7 \"Star Globe\" gives it one\n")
        #expect(empty.status == 0)
        for (beacon, name) in [("1.7", "Star Globe"), ("7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/2/1", "الكرة \"x\"")] {
            let end = try await RunningProgram.run(Programs.beaconctl, ["name", beacon, name] + options)
            #expect(end.status == 0, "\(end.errors)")
            #expect(
                end.errors
                    == "\(beacon) is \(name) in \(file); no daemon is running, so it counts from its next start\n")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == """
            # ours
            scan: {active: true}

            beacons:
              1.7: Star Globe
              7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/2/1: "الكرة \\"x\\""

            """)
        let list = try await RunningProgram.run(Programs.beaconctl, ["name", "--json"] + options)
        #expect(list.output == #"{"beacons":[{"uuid":null,"major":1,"minor":7,"name":"Star Globe","expected":false},"#
                + #"{"uuid":"7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096","major":2,"minor":1,"name":"الكرة \"x\"","expected":false}]}"#
                + "\n")
        let table = try await RunningProgram.run(Programs.beaconctl, ["name"] + options)
        #expect(table.lines.first?.hasPrefix("BEACON") == true && table.lines.count == 3)
        let removed = try await RunningProgram.run(Programs.beaconctl, ["name", "star globe", "--remove"] + options)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("1.7") == false)
    }

    @Test("names that are given at the same time are all kept")
    func together() async throws {
        let folder = try temporaryFolder("name")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (file, link) = ("\(folder)/beacond.yaml", "\(folder)/link.yaml")
        try "# ours\n".write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "beacond.yaml")
        try await withThrowingTaskGroup { group in
            for number in 1...12 {
                group.addTask {
                    let end = try await Self.name(
                        "1.\(number)", "Globe \(number)", "--config", number.isMultiple(of: 2) ? file : link, "--socket",
                        "none")
                    #expect(end.status == 0, "\(end.errors)")
                }
            }
            try await group.waitForAll()
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect((1...12).allSatisfy { text.contains("  1.\($0): Globe \($0)\n") }, "\(text)")
        #expect(text.hasPrefix("# ours\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == ["beacond.yaml", "link.yaml"])
    }

    @Test("options for the list are refused with a beacon, and the file of --output keeps its content", arguments: [
        ["--json"], ["--format", "json"], ["--json", "--output"], ["--output"],
    ])
    func listOptions(options: [String]) async throws {
        let folder = try temporaryFolder("name")
        let (file, result) = ("\(folder)/beacond.yaml", "\(folder)/result")
        try "beacons: {1.7: Globe}\n".write(toFile: file, atomically: true, encoding: .utf8)
        try "kept\n".write(toFile: result, atomically: true, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["name", "1.7", "Star", "--config", file, "--socket", "none"] + options
                + (options.last == "--output" ? [result] : []))
        #expect(end.status == 2 && end.errors.contains("are for the list of names"), "\(end.errors)")
        #expect(try String(contentsOfFile: result, encoding: .utf8) == "kept\n")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "beacons: {1.7: Globe}\n")
    }

    @Test("takes a name with a dash in front after --")
    func dashed() async throws {
        let file = try temporaryFolder("name") + "/beacond.yaml"
        let end = try await Self.name("--config", file, "--socket", "none", "1.7", "--", "- 1st floor")
        #expect(end.status == 0, "\(end.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("1.7: \"- 1st floor\""))
    }

    @Test("says what is wrong with what was asked", arguments: [
            (["1.7"], 2, "a name is missing"), (["1.7", "A", "--remove"], 2, "contradict"),
            (["1.7", "-x"], 2, "needs -- before it"),
            (["--remove"], 2, "name a beacon"),
        (["1.7", ""], 2, "is empty"), (["1.7", String(repeating: "x", count: 201)], 2, "at most 200 characters"),
        (["70000.1", "A"], 2, "70000 is no number from 0 to 65535"),
        (["Globus", "A"], 1, "did you mean Globe?"), (["9.9", "--remove"], 1, "9.9: has no name"),
        (["1.7", "A", "--config", "/no/such/folder/beacond.yaml"], 1, "its folder has to be there"),
    ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, message: String) async throws {
        let folder = try temporaryFolder("name")
        let file = "\(folder)/beacond.yaml"
        try "beacons: {1.7: Globe}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["name"] + arguments + (arguments.contains("--config") ? [] : ["--config", file]) + ["--socket", "none"])
        #expect(end.status == status && end.errors.contains(message), "\(end.status): \(end.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "beacons: {1.7: Globe}\n")
    }

    @Test("a configuration with mistakes is left as it is")
    func broken() async throws {
        let file = try temporaryFolder("name") + "/beacond.yaml"
        try "beacons: [1.7]\n".write(toFile: file, atomically: true, encoding: .utf8)
        let end = try await Self.name("1.7", "A", "--config", file, "--socket", "none")
        #expect(end.status != 0 && end.errors.contains("\(file):1:10: beacons needs lines"), "\(end.errors)")
    }

    @Test("says that the daemon's configuration is not here, as where it runs in a container")
    func container() async throws {
        let file = try temporaryFolder("name") + "/beacond.yaml"
        try "scan: {active: true}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let socket = try SilentSocket()
        let body = #"{"file":"/no/such/folder/beacond.yaml","needs_restart":[]}"#
        socket.answer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let end = try await Self.name("1.7", "Moon", "--config", file, "--socket", socket.path)
        #expect(end.status == 0)
        #expect(
            end.errors.hasPrefix(
                "1.7 is Moon in \(file); the daemon does not use it, because its configuration is "
                    + "/no/such/folder/beacond.yaml, which is not here; "), "\(end.errors)")
        withExtendedLifetime(socket) {}
    }

    @Test("the daemon calls the beacon so at once, also where its source has another name, and in range without it")
    func daemon() async throws {
        let folder = try temporaryFolder("name")
        let (file, socket) = ("\(folder)/beacond.yaml", "\(folder)/control.sock")
        let beacon = "{uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096, major: 1, minor: 7, measured_power: -59, name: Old, "
        try "beacons: [\(beacon) position: [0, 1]}]\n"
            .write(toFile: "\(folder)/one.yaml", atomically: true, encoding: .utf8)
        try "sources: ['sim:one.yaml']\ndirectories: {state: \(folder)/state, cache: \(folder)/cache}\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let daemon = try RunningProgram(Programs.beacond, ["--config", file, "--socket", socket])
        func nearest() async throws -> String {
            try await RunningProgram.run(Programs.beaconctl, ["range", "--once", "--json", "--socket", socket]).output
        }
        try await waitUntil("it is ranked under its old name") { try await nearest().contains(#""name":"Old""#) }
        let end = try await Self.name("1.7", "Star Globe", "--config", file, "--socket", socket)
        #expect(end.status == 0 && end.errors.hasSuffix("; the daemon uses it\n"), "\(end.errors)")
        try await waitUntil("it has its new name") { try await nearest().contains(#""name":"Star Globe""#) }
        let other = "\(folder)/other.yaml"
        let elsewhere = try await Self.name("1.7", "Moon", "--config", other, "--socket", socket)
        #expect(elsewhere.status == 0)
        #expect(elsewhere.errors.contains("Moon in \(other); the daemon does not use it"), "\(elsewhere.errors)")
        #expect(elsewhere.errors.hasSuffix("/beacond.yaml\n"), "\(elsewhere.errors)")
        _ = try await Self.name("1.7", "--remove", "--config", file, "--socket", socket)
        try await waitUntil("it has its old name again") { try await nearest().contains(#""name":"Old""#) }
        #expect(try await daemon.stop().status == 0)

        try "beacons: {1.7: Star Globe}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let range = try await RunningProgram.run(
            Programs.beaconctl, ["range", "--once", "--json", "--source", "sim:\(folder)/one.yaml", "--config", file])
        #expect(range.output.contains(#""name":"Star Globe""#), "\(range.output)")
    }
}
