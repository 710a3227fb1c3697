import Foundation
import Testing
import TestSupport

/// Beacons as people name them, with and without a daemon, and what `watch` begins with.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AskedBeaconsTests {
    typealias Asked = ControlTests.Asked

    static let uuid = "7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096"

    static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    @Test("the daemon is asked for some of its beacons")
    func filters() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let names = [
            ("1.3", [3]), ("star globe", [5]), ("\(Self.uuid.lowercased())/1/2", [2]), (Self.uuid, Array(1...6)),
        ]
        for (name, minors) in names {
            let range = try await asked.ctl("range", "--once", "--json", "--beacon", name)
            let beacons = try #require(try Self.object(range.output)["beacons"] as? [[String: Any]])
            #expect(Set(beacons.compactMap { $0["minor"] as? Int }) == Set(minors), "\(name): \(range.errors)")
            #expect(beacons.compactMap { $0["rank"] as? Int } == Array(1...minors.count))
            let heard = try await asked.ctl("sightings", "--limit", "3", "--json", "--beacon", name)
            #expect(heard.lines.count == 3, "\(heard.errors)")
            for line in heard.lines {
                #expect(minors.contains(try #require(try Self.object(line)["minor"] as? Int)), "\(name): \(line)")
            }
        }
        try await waitUntil("the history knows all six") {
            try await asked.ctl("report", "--format", "csv").lines.count == 7
        }
        let report = try await asked.ctl("report", "--format", "csv", "--beacon", "Telegraph", "--beacon", "1.1")
        #expect(report.status == 0 && report.lines.count == 3, "\(report.output)\(report.errors)")

        for nobody in [
            try await asked.ctl("report", "--beacon", "Cafeteria"),
            try await asked.ctl("sightings", "--limit", "1", "--beacon", "Cafeteria"),
            try await asked.ctl("range", "--once", "--beacon", "Cafeteria"),
            try await asked.ctl("range", "--once", "--beacon", "1.1", "--beacon", "Cafeteria", "--json"),
        ] {
            #expect(nobody.status == 1 && nobody.errors.contains("Star Globe"), "\(nobody.errors)")
            #expect(nobody.output.isEmpty)
        }
        for number in [
            try await asked.ctl("report", "--beacon", "1.70000"),
            try await asked.ctl("sightings", "--limit", "1", "--beacon", "1.70000"),
            try await asked.ctl("range", "--once", "--beacon", "1.70000"),
            try await asked.ctl("explain", "1.70000"),
        ] {
            #expect(number.status == 2 && number.errors.contains("70000 is no number"), "\(number.errors)")
        }
        let waits: [(options: [String], wait: Duration)] = [([], .seconds(5)), (["--duration", "1"], .seconds(1))]
        for (options, wait) in waits {
            let start = ContinuousClock.now
            let absent = try await RunningProgram.run(
                Programs.beaconctl,
                ["range", "--once", "--json", "--beacon", "9.9", "--socket", asked.socket] + options)
            #expect(ContinuousClock.now - start >= wait)
            #expect(absent.status == 1 && absent.lines.count == 1, "\(absent.output)")
            #expect(absent.output.contains(#""beacons":[]"#), "\(absent.output)")
            #expect(absent.errors.contains("9.9: was not heard"), "\(absent.errors)")
        }
        let several = try await asked.ctl("explain", Self.uuid)
        #expect(several.status == 1 && several.errors.contains("name one of them:\n  \(Self.uuid)/1/1  Steam Engine"))
    }

    @Test("range --once waits for a beacon that the daemon does not receive yet, whatever the interval")
    func late() async throws {
        let folder = try temporaryFolder("late")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // From there on, it is heard within the five seconds of a question that is asked as soon as the daemon listens.
        try """
            beacons:
              - {uuid: \(Self.uuid), major: 1, minor: 1, measured_power: -59, position: [1, 1]}
              - {uuid: \(Self.uuid), major: 1, minor: 2, measured_power: -59, position: [1, 1], from_s: 3}

            """.write(toFile: "\(folder)/late.yaml", atomically: false, encoding: .utf8)
        try "".write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let socket = "\(folder)/control.sock"
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--source", "sim:\(folder)/late.yaml", "--state-dir",
                "\(folder)/state", "--socket", socket,
            ])
        try await daemon.waitUntil("it listens, and answers") {
            $0.errors.contains("listening on sim") && FileManager.default.fileExists(atPath: socket)
        }
        let range = try await RunningProgram.run(
            Programs.beaconctl,
            ["range", "--once", "--json", "--interval", "60", "--beacon", "1.2", "--socket", socket])
        #expect(range.status == 0 && range.lines.count == 1, "\(range.errors)")
        #expect(range.output.contains(#""minor":2,"#) && !range.output.contains(#""minor":1,"#), "\(range.output)")
        _ = try await daemon.stop()
    }

    @Test("range keeps its interval and its duration while nothing is in range")
    func nothing() async throws {
        let folder = try temporaryFolder("nothing")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "beacons:\n  - {payload: 02 01 1A 02 FF, position: [1, 1]}\n".write(
            toFile: "\(folder)/none.yaml", atomically: false, encoding: .utf8)
        try "".write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let socket = "\(folder)/control.sock"
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--source", "sim:\(folder)/none.yaml", "--state-dir",
                "\(folder)/state", "--socket", socket,
            ])
        try await daemon.waitUntil("it listens, and answers") {
            $0.errors.contains("listening on sim") && FileManager.default.fileExists(atPath: socket)
        }
        let arguments = ["range", "--json", "--interval", "0.2", "--socket", socket]
        let range = try RunningProgram(Programs.beaconctl, arguments)
        // The daemon itself tells one in three seconds: between two of them, the last is shown again.
        try await range.waitUntil("rankings are shown again") { program in
            let lines = program.lines
            let times = Set(lines.map { $0.firstMatch(of: /"time":"([^"]*)"/).map { String($0.1) } })
            return lines.count >= times.count + 5
        }
        let shown = try await range.stop(with: SIGINT)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.lines.allSatisfy { $0.contains(#""beacons":[]"#) })
        let short = try await RunningProgram.run(Programs.beaconctl, arguments + ["--duration", "2"])
        #expect(short.status == 0, "\(short.errors)")
        _ = try await daemon.stop()
    }

    @Test("range says that the daemon ranks less often than asked for, and only then")
    func daemonInterval() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        let often = try RunningProgram(
            Programs.beaconctl, ["range", "--json", "--interval", "0.1", "--socket", asked.socket])
        try await often.waitUntil("it has said so, and goes on") { program in
            program.errors.contains("--interval") && program.lines.count >= 8
        }
        let end = try await often.stop(with: SIGINT)
        #expect(end.status == 0)
        let notice = /the daemon ranks only every \d\.\d\d s \(ranging\.interval_s\): --interval 0\.1 is shorter\n/
        #expect(end.errors.wholeMatch(of: notice) != nil, "\(end.errors)")
        let usual = try RunningProgram(
            Programs.beaconctl, ["range", "--json", "--interval", "2", "--socket", asked.socket])
        try await usual.waitUntil("it has shown a few") { $0.lines.count >= 3 }
        #expect(try await usual.stop(with: SIGINT).errors.isEmpty)
    }

    @Test("watch begins with how it is, and goes on without a gap")
    func watch() async throws {
        let asked = try await Asked()
        defer { asked.cleanUp() }
        func shown(_ options: String...) async throws -> RunningProgram.Outcome {
            let watch = try RunningProgram(
                Programs.beaconctl, ["watch"] + options, environment: ["BEACOND_CONTROL_SOCKET": asked.socket])
            try await watch.waitUntil("it says how it is") { !$0.lines.isEmpty }
            return try await watch.stop(with: SIGINT)
        }
        let json = try await shown("--json", "--event", "state")
        let state = try Self.object(json.output)
        #expect(state["event"] as? String == "state" && state["scanner"] as? String == "ok")
        #expect((state["nearest"] as? [String: Any])?["name"] is String, "\(json.output)")
        let text = try await shown()
        #expect(text.status == 0)
        #expect(text.lines.first?.contains(" in range, scanner ok") == true, "\(text.output)")
        // A busy machine may not let it ask in so short a time.
        try await waitUntil("it has ended by itself, in order") {
            try await asked.ctl("watch", "--duration", "2").status == 0
        }
        let future = try await asked.ctl("watch", "--after", "999999999999999999", "--limit", "1")
        #expect(future.status == 1 && future.output.isEmpty, "\(future.output)")
        #expect(future.errors.contains("is not there yet; the newest event is "), "\(future.errors)")
        let later = try await asked.ctl("watch", "--after", "0", "--limit", "1")
        #expect(later.lines.count == 1 && !later.output.contains("  now "), "\(later.output)")
    }

    @Test(
        "without a daemon the same beacons are found in a source",
        arguments: ["1.3", "whale skeleton", "\(Self.uuid)/1/3", "\(Self.uuid)/1.3"])
    func source(name: String) async throws {
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["sightings", "--source", "sim", "--limit", "2", "--format", "csv", "--beacon", name])
        #expect(rows(ofCSV: end.lines).map { $0["minor"] } == ["3", "3"], "\(end.errors)")
    }

    @Test("who is not there is told, with those who are")
    func unknown() async throws {
        let told = "9.9: was not heard; these were:\n  \(Self.uuid)/1/1  Steam Engine"
        let list = try await RunningProgram.listenShortly(
            Programs.beaconctl, ["sightings", "--source", "sim", "--duration", "6", "--beacon", "9.9"]
        ) { $0.errors.contains(told) }
        #expect(list.errors.contains(told), "\(list.errors)")
        let range = try await RunningProgram.run(
            Programs.beaconctl, ["range", "--source", "sim", "--once", "--json", "--beacon", "9.9"])
        #expect(range.output.contains(#""beacons":[]"#))
        #expect(range.status == 1 && range.errors.contains("9.9: was not heard"), "\(range.errors)")
        #expect(range.errors.split(separator: "\n").count { $0.contains("was not heard") } == 1, "\(range.errors)")
        let present = try await RunningProgram.run(
            Programs.beaconctl, ["range", "--source", "sim", "--once", "--json", "--beacon", "1.1", "--beacon", "9.9"])
        #expect(present.status == 0 && present.output.contains(#""minor":1,"#), "\(present.errors)")
        for command in ["range", "sightings"] {
            let number = try await RunningProgram.run(
                Programs.beaconctl, [command, "--source", "sim", "--duration", "1", "--beacon", "1.70000"])
            #expect(number.status == 2 && number.errors.contains("1.70000: 70000 is no number from 0 to 65535"))
        }
        let name = try await RunningProgram.run(
            Programs.beaconctl, ["range", "--source", "sim", "--once", "--beacon", "Whale Skelton"])
        #expect(name.status == 1 && name.errors.contains("did you mean Whale Skeleton?"), "\(name.errors)")
    }
}
