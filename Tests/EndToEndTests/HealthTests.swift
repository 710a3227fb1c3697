import Foundation
import TestSupport
import Testing

/// The health of beacons as it is asked for: from a recording, and of the daemon.
@Suite(.timeLimit(.minutes(10)))
struct HealthTests {
    /// Two hours of two scanners that hear three beacons each second. The first beacon dies after an hour and a half.
    private static func recording(in folder: String) throws -> String {
        var rows = ["time,scanner,uuid,major,minor,measured_power,rssi"]
        for second in 0..<7200 {
            for (scanner, levels) in [("pi-1", [-60, -70, -65]), ("pi-2", [-75, -62, -70])] {
                for (number, level) in levels.enumerated() where number > 0 || second < 5400 {
                    let rssi = level - (second * 7 + number) % 4
                    rows.append(
                        "\(1_767_225_600 + second),\(scanner),7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096,1,\(number + 1),-59,\(rssi)"
                    )
                }
            }
        }
        let file = "\(folder)/museum.csv"
        try rows.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }

    @Test("a recording is looked through: the beacon that died is told, and no other")
    func recording() async throws {
        let folder = try temporaryFolder("health")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let source = "file:\(try Self.recording(in: folder))"
        let table = try await RunningProgram.run(Programs.beaconctl, ["health", "--source", source])
        #expect(table.status == 0, "\(table.errors)")
        #expect(table.lines.count == 1)
        #expect(table.output.contains("  1.1  missing: not heard for 5 min by pi-1, pi-2"))
        let json = try await RunningProgram.run(Programs.beaconctl, ["health", "--source", source, "--json"])
        #expect(
            json.output.contains(#""minor":1,"state":"began","kind":"missing","since":"2026-01-01T01:30:00.000000Z""#))
        #expect(try ControlTests.object(json.output)["problem"] as? String == "missing", "\(json.output)")
        let none = try await RunningProgram.run(
            Programs.beaconctl, ["health", "--source", source, "--beacon", "1.2", "--format", "csv"])
        #expect(none.lines == ["time,uuid,major,minor,state,problem,since,evidence"])
        #expect(none.errors.contains("nothing is wrong"), "\(none.errors)")
        let absent = try await RunningProgram.run(
            Programs.beaconctl, ["health", "--source", source, "--beacon", "1.2", "--beacon", "9.9"])
        #expect(absent.status == 1)
        #expect(absent.errors.contains("9.9: was not heard") && !absent.errors.contains("nothing is wrong"))
        let unused = try await RunningProgram.run(
            Programs.beaconctl, ["health", "--learning", "5", "--socket", "\(folder)/none"])
        #expect(unused.status == 2 && unused.errors.contains("is for a --source"), "\(unused.errors)")
        let short = try await RunningProgram.run(
            Programs.beaconctl, ["health", "--source", source, "--learning", "300"])
        #expect(short.status == 0 && short.errors.contains("119 minutes were recorded, and 300 are needed"))
        let wrong = try await RunningProgram.run(Programs.beaconctl, ["health", "--source", source, "--learning", "0"])
        #expect(wrong.status == 2 && wrong.errors.contains("--learning"))
    }

    /// Two that are known for a day at the source `sim`, which had heard nothing of the first for three minutes. The
    /// second is on its air.
    private static let memory = """
        {"format":1,"scanners":{"sim":{"age":2000,"beacons":{"7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096":[[1,77,\
        2000,1,3,0,0,0,2000,-60,2,-60,29453760,0.105,2000,500,4,0,0,-59,0,-59,-1,8,8,8,8,8,8],\
        [1,1,2000,1,3,0,0,0,2000,-60,2,-60,29453760,0.105,2000,500,4,0,0,-59,0,-59,-1,8,8,8,8,8,8]]}}},"problems":[]}
        """

    @Test("the daemon goes on with what it learned, tells what is missing, and keeps that")
    func daemon() async throws {
        let folder = try temporaryFolder("health")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: "\(folder)/state", withIntermediateDirectories: false)
        try Self.memory.write(toFile: "\(folder)/state/health.json", atomically: false, encoding: .utf8)
        try "beacons: {1.77: الحوت}\nhooks: {health: [/bin/sh, -c, 'cat >\"\(folder)/hook\"']}".write(
            toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--source", "sim", "--state-dir", "\(folder)/state", "--socket",
                "\(folder)/control.sock",
            ])
        func ctl(_ arguments: String...) async throws -> RunningProgram.Outcome {
            try await RunningProgram.run(
                Programs.beaconctl, ["health"] + arguments,
                environment: ["BEACOND_CONTROL_SOCKET": "\(folder)/control.sock"])
        }
        // Of whole minutes there are two after at most three.
        try await daemon.waitUntil("it is missing", within: .seconds(300)) {
            $0.errors.contains("الحوت: missing: not heard for 5 min by sim")
        }
        let table = try await ctl()
        #expect(table.status == 0 && table.output.contains("missing"), "\(table.errors)")
        let json = try await ctl("--json")
        #expect(
            json.output.contains(#""minor":77,"name":"الحوت","state":"problem","problems":[{"kind":"missing""#),
            "\(json.output)")
        let beacons = try #require(try ControlTests.object(json.output)["beacons"] as? [[String: Any]])
        let missing = try #require(beacons.first { $0["minor"] as? Int == 77 })
        #expect((missing["problems"] as? [[String: Any]])?.map { $0["problem"] as? String } == ["missing"])
        let keys = [
            "uuid", "major", "minor", "name", "state", "problems", "level", "interval_s", "battery", "last_heard",
        ]
        #expect(Set(missing.keys) == Set(keys), "\(json.output)")
        try await waitUntil("the report has it, too") {
            let report = try await RunningProgram.run(
                Programs.beaconctl, ["report", "--since", "1h"],
                environment: ["BEACOND_CONTROL_SOCKET": "\(folder)/control.sock"])
            return report.output.firstMatch(of: /الحوت +missing .* still +not heard for 5 min by sim/) != nil
        }
        let csv = try await ctl("--format", "csv", "--beacon", "1.77")
        #expect(csv.lines.count == 2 && csv.output.contains(",1,77,الحوت,problem,missing,"), "\(csv.output)")
        // Interval, battery and the last time, of what is heard.
        let heard = try await ctl("--format", "csv", "--beacon", "1.1")
        #expect(heard.output.contains(/,ok,,,,-\d+,0\.1\d\d,,20\d\d-[^,]+Z/), "\(heard.output)")
        #expect(table.output.contains(/\d ms\b/), "\(table.output)")
        try await daemon.waitUntil("the hook has run") { _ in
            (try? String(contentsOfFile: "\(folder)/hook", encoding: .utf8))?.contains(#""event":"health""#) == true
        }
        #expect(try await daemon.stop().status == 0)
        let kept = try String(contentsOfFile: "\(folder)/state/health.json", encoding: .utf8)
        #expect(kept.contains(#""kind":"missing""#) && kept.contains("7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"))
    }

    @Test("where nobody looks at it, that is said")
    func off() async throws {
        let folder = try temporaryFolder("health")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "health: {enabled: false}".write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--source", "sim", "--state-dir", "\(folder)/state", "--socket",
                "\(folder)/control.sock",
            ])
        try await daemon.waitUntil("something is near, and it can be asked") {
            $0.errors.contains("nearest  ") && FileManager.default.fileExists(atPath: "\(folder)/control.sock")
        }
        let answer = try await RunningProgram.run(
            Programs.beaconctl, ["health"], environment: ["BEACOND_CONTROL_SOCKET": "\(folder)/control.sock"])
        #expect(answer.status == 1 && answer.errors.contains("health.enabled"), "\(answer.errors)")
        _ = try await daemon.stop()
    }
}
