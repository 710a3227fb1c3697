import Foundation
import Testing
import TestSupport

/// Captures: written by one program, read by another, and by btmon.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CaptureTests {
    /// A capture of the emulated air, and what was listed while it was made.
    static func record(in folder: String) async throws -> (file: String, rows: [[String: String]]) {
        let file = "\(folder)/sim.btsnoop"
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["sightings", "--source", "sim", "--limit", "100", "--format", "csv", "--capture", file])
        #expect(end.status == 0, "\(end.errors)")
        let rows = rows(ofCSV: end.lines)
        try #require(rows.count >= 10)
        return (file, rows)
    }

    static func sightings(_ arguments: String..., input: RunningProgram.Input = .nothing) async throws
        -> RunningProgram.Outcome {
        try await RunningProgram.run(
            Programs.beaconctl, ["sightings", "--format", "csv", "--source"] + arguments, input: input)
    }

    /// What is heard, without where and when it was noted.
    static func essence(_ row: [String: String]) -> [String?] {
        ["address", "address_type", "event_type", "rssi", "uuid", "major", "minor", "measured_power"].map { row[$0] }
    }

    @Test("a capture holds what was listed")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let (file, live) = try await Self.record(in: folder.path)

        let read = try await Self.sightings("file:\(file)")
        #expect(read.status == 0)
        #expect(read.lines.first == sightingsHeader)
        let captured = rows(ofCSV: read.lines)
        #expect(captured.prefix(live.count).map(Self.essence) == live.map(Self.essence))
        #expect(captured.allSatisfy { isTimestamp($0["time"] ?? "") })

    }

    @Test(
        "btmon finds in a capture what was listed",
        .enabled(if: Programs.installed("btmon") != nil, "btmon is not installed"))
    func btmon() async throws {
        let folder = try TemporaryFolder()
        let (file, live) = try await Self.record(in: folder.path)
        let words = try await RunningProgram.run("btmon", ["-r", file])
        #expect(words.status == 0)
        #expect(words.output.matches(of: /LE (Extended )?Advertising Report/).count >= live.count)
        #expect(words.output.contains("Apple, Inc. (76)"))
        #expect(words.output.contains("Set Extended Scan Enable") || words.output.contains("LE Set Scan Enable"))
    }

    @Test("capture records until it is stopped, and nothing that is recorded already")
    func capture() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/all.btsnoop"
        let capture = try RunningProgram(Programs.beaconctl, ["capture", "-o", file, "--source", "sim"])
        try await capture.waitUntil("something is recorded") { _ in
            (FileManager.default.contents(atPath: file)?.count ?? 0) > 2000
        }
        let end = try await capture.stop(with: SIGINT)
        #expect(end.status == 0 && end.output.isEmpty, "\(end.errors)")
        let count = try #require(end.errors.firstMatch(of: /iBeacons (\d+)/).flatMap { Int($0.1) })
        let read = try await Self.sightings("file:\(file)")
        #expect(read.status == 0 && read.lines.count == count + 1)
        let again = try await RunningProgram.run(
            Programs.beaconctl, ["capture", "-o", "\(folder)/other", "--source", "file:\(file)"])
        #expect(again.status == 2 && again.errors.contains("is a capture already"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/other"))
    }

    @Test("a recording on standard output is told as such")
    func standardOutput() async throws {
        let end = try await RunningProgram.run(
            "/bin/sh", ["-c", "'\(Programs.beaconctl)' capture --source sim --duration 1 -o - >/dev/null"])
        #expect(end.status == 0 && end.errors.contains("recorded in standard output"), "\(end.errors)")
    }

    @Test("--capture is refused where the source has no packets, and an earlier recording stays")
    func noPackets() async throws {
        let folder = try TemporaryFolder()
        let (table, frames, file) = ("\(folder)/walk.csv", "\(folder)/sniffer.pcap", "\(folder)/old.btsnoop")
        try "uuid,major,minor,measured_power,rssi\n".write(toFile: table, atomically: false, encoding: .utf8)
        // pcap's head, little-endian, with link type 251.
        let head: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 251, 0, 0, 0]
        try Data(head).write(to: URL(filePath: frames))
        try "kept".write(toFile: file, atomically: false, encoding: .utf8)
        for (source, format) in [(table, "observation CSV"), (frames, "pcap, Bluetooth LE link layer (251)")] {
            let end = try await RunningProgram.run(
                Programs.beaconctl, ["sightings", "--source", "file:\(source)", "--capture", file])
            #expect(end.status == 2 && end.output.isEmpty)
            let message = "source \"file:\(source)\": \(format) has no HCI packets that could be recorded"
            #expect(end.errors.contains(message), "\(end.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
        }
    }

    @Test("packets without times are recorded as of 1970, which is told")
    func noTimes() async throws {
        let folder = try TemporaryFolder()
        try "> 04 0E 04 01 03 0C 00\n".write(toFile: "\(folder)/dump.txt", atomically: false, encoding: .utf8)
        let words = ["sightings", "--source", "file:\(folder)/dump.txt", "--format", "csv"]
        let end = try await RunningProgram.run(Programs.beaconctl, words + ["--capture", "\(folder)/dump.btsnoop"])
        #expect(end.status == 0)
        #expect(end.errors.contains("has no times: its packets are recorded as of 1970-01-01T00:00:00Z"))
        let without = try await RunningProgram.run(Programs.beaconctl, words)
        #expect(without.status == 0 && !without.errors.contains("1970"), "\(without.errors)")
    }

    @Test("a recording of two sources keeps who heard what")
    func twoSources() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/two.btsnoop"
        let live = try await RunningProgram.listenShortly(
            Programs.beaconctl,
            [
                "sightings", "--source", "sim", "--source", "sim", "--duration", "6", "--format", "csv", "--capture",
                file,
            ]
        ) { _ in
            let sources = rows(ofCSV: try await Self.sightings("file:\(file)").lines).map { $0["source"] }
            return Set(sources).count == 2
        }
        #expect(live.status == 0, "\(live.errors)")
        let read = try await Self.sightings("file:\(file)")
        #expect(read.status == 0 && read.lines.first == sightingsHeader, "\(read.errors)")
        let names = rows(ofCSV: read.lines).map { $0["source"] }
        #expect(Set(names).isSuperset(of: ["hci0", "hci1"]) && names.count >= live.lines.count - 1)
        let ranked = try await RunningProgram.run(
            Programs.beaconctl, ["range", "--source", "file:\(file)", "--format", "json"])
        #expect(ranked.output.contains("\"hci0\"") && ranked.output.contains("\"hci1\""), "\(ranked.errors)")
        #expect(!ranked.output.contains("file:"))
    }

    @Test("the CSV of sightings is a source with the same rows")
    func csvAsSource() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await Self.record(in: folder.path)
        let first = try await Self.sightings("file:\(file)")
        let csv = "\(folder)/sightings.csv"
        try first.output.write(toFile: csv, atomically: false, encoding: .utf8)

        let second = try await Self.sightings("file:\(csv)")
        #expect(second.status == 0)
        let columns = ["time", "rssi", "uuid", "major", "minor", "measured_power"]
        let essence = { (rows: [[String: String]]) in rows.map { row in columns.map { row[$0] } } }
        #expect(essence(rows(ofCSV: second.lines)) == essence(rows(ofCSV: first.lines)))

        let ranges = try await [file, csv].asyncMap { source in
            try await RunningProgram.run(
                Programs.beaconctl, ["range", "--source", "file:\(source)", "--format", "json"]
            ).lines.count
        }
        #expect(ranges[0] == ranges[1] && ranges[0] > 0)
    }

    @Test("an observation CSV with the documented header is read, from a pipe too, with times in either form")
    func observations() async throws {
        let text = """
            time,scanner,uuid,major,minor,measured_power,rssi
            1767225600.25,hall,E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,1,2,-59,-70
            2026-01-01T00:00:01Z,hall,e2c56db5dffb48d2b060d0f5a71096e0,1,3,-59,-71

            """
        let end = try await Self.sightings("file:-", input: .text(text))
        #expect(end.status == 0)
        let rows = rows(ofCSV: end.lines)
        #expect(rows.map { $0["time"] } == ["2026-01-01T00:00:00.250000Z", "2026-01-01T00:00:01.000000Z"])
        #expect(rows.map { $0["minor"] } == ["2", "3"])
        #expect(rows.map { $0["uuid"] } == Array(repeating: "e2c56db5-dffb-48d2-b060-d0f5a71096e0", count: 2))
    }

    @Test("explain --at before a recording says when that begins")
    func explainBefore() async throws {
        let text = """
            time,uuid,major,minor,measured_power,rssi
            2026-01-01T00:00:01Z,e2c56db5dffb48d2b060d0f5a71096e0,1,2,-59,-71

            """
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["explain", "1.2", "--source", "file:-", "--at", "2025-01-01T00:00:00Z"],
            input: .text(text))
        #expect(end.status == 1, "\(end.errors)")
        #expect(end.errors.contains("begins after it, at 2026-01-01T00:00:01"), "\(end.errors)")
    }

    @Test("a table without a column time is told so, and one without a usable row")
    func unusableTables() async throws {
        let row = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,1,2,-59,-70"
        let timeless = "uuid,major,minor,measured_power,rssi\n\(row)\n"
        for command in ["range", "report"] {
            let end = try await RunningProgram.run(
                Programs.beaconctl, [command, "--source", "file:-"], input: .text(timeless))
            #expect(end.status == 1 && end.errors.contains("there is no column time"), "\(end.errors)")
        }
        let milliseconds = "time,uuid,major,minor,measured_power,rssi\n1795250286100000,\(row)\n"
        let end = try await Self.sightings("file:-", input: .text(milliseconds))
        #expect(end.status == 1 && end.errors.contains("no row of it can be used"), "\(end.errors)")
        #expect(end.errors.contains("line 2: invalid time, neither seconds since 1970 nor RFC 3339"), "\(end.errors)")
    }

    @Test("a capture that breaks off gives what is readable, then a message, and 1")
    func truncated() async throws {
        let folder = try TemporaryFolder()
        let (file, _) = try await Self.record(in: folder.path)
        let whole = try await Self.sightings("file:\(file)").lines.count
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let short = "\(folder)/short.btsnoop"
        try bytes.prefix(bytes.count - 7).write(to: URL(fileURLWithPath: short))

        let end = try await Self.sightings("file:\(short)")
        #expect(end.status == 1)
        #expect(end.lines.count >= whole - 1)
        #expect(end.errors.contains(short))
        #expect(end.errors.contains(/byte \d+/), "where it breaks off")
    }

    @Test("hcidump text has no times: sightings are listed, range and health say why they cannot, of their CSV as well")
    func hcidump() async throws {
        let frame = "02 01 1A 1A FF 4C 00 02 15 E2 C5 6D B5 DF FB 48 D2 B0 60 D0 F5 A7 10 96 E0 00 01 00 02 C5"
        let bytes = "04 3E 2A 02 01 03 01 66 55 44 33 22 11 1E \(frame) C4".split(separator: " ").map(String.init)
        let lines = stride(from: 0, to: bytes.count, by: 20).map { start in
            (start == 0 ? "> " : "  ") + bytes[start..<min(start + 20, bytes.count)].joined(separator: " ")
        }
        let text =
            "HCI sniffer - Bluetooth packet analyzer ver 5.66\ndevice: 0xffff snap_len: 1500 filter: 0xffffffff\n"
            + (lines + lines).joined(separator: "\n") + "\n"
        let list = try await Self.sightings("file:-", input: .text(text))
        #expect(list.status == 0)
        let rows = rows(ofCSV: list.lines)
        #expect(rows.map { $0["time"] } == ["", ""])
        #expect(rows.first?["address"] == "11:22:33:44:55:66")
        #expect(rows.first?["rssi"] == "-60")

        for command in ["range", "health"] {
            let end = try await RunningProgram.run(
                Programs.beaconctl, [command, "--source", "file:-"], input: .text(text))
            #expect(end.status == 1, "\(command)")
            #expect(end.errors.contains("this capture has no times (hcidump text)"), "\(end.errors)")
            // The column is there, and empty.
            let table = try await RunningProgram.run(
                Programs.beaconctl, [command, "--source", "file:-"], input: .text(list.output))
            #expect(table.status == 1, "\(command)")
            #expect(table.errors.contains("file:-: nothing that was heard has a time"), "\(table.errors)")
            let empty = try await RunningProgram.run(
                Programs.beaconctl, [command, "--source", "file:-"], input: .text(sightingsHeader + "\n"))
            #expect(empty.status == 0 && empty.errors.contains("no iBeacon was heard"), "\(empty.errors)")
        }
    }

    @Test("a file of no known kind is refused with its name")
    func unknown() async throws {
        let end = try await Self.sightings("file:\(Programs.project)/Package.swift")
        #expect(end.status == 1)
        #expect(end.errors.contains("Package.swift"))
    }
}

extension Sequence {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
