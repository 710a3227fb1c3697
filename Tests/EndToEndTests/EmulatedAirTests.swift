import Foundation
import Testing
import TestSupport

/// `--source sim`: the whole path on the built-in air, and the documented shape of everything that it prints.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EmulatedAirTests {
    static func run(_ arguments: String...) async throws -> RunningProgram.Outcome {
        let end = try await RunningProgram.run(Programs.beaconctl, arguments)
        #expect(end.status == 0, "\(end.errors)")
        return end
    }

    @Test("sightings as JSON")
    func sightingsJSON() async throws {
        let end = try await Self.run("sightings", "--source", "sim", "--limit", "20", "--format", "json")
        #expect(end.lines.count == 20)
        let documented = Set(sightingsHeader.split(separator: ",").map(String.init))
        for line in end.lines { #expect(try keys(of: line) == documented) }
        let sightings: [SightingLine] = try decodeLines(end.lines)
        for sighting in sightings {
            #expect(isTimestamp(sighting.time ?? ""))
            #expect(sighting.source == "sim")
            #expect(sighting.address.wholeMatch(of: /[0-9a-f]{2}(:[0-9a-f]{2}){5}/) != nil)
            #expect(["public", "random"].contains(sighting.addressType))
            #expect(sighting.uuid.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
            #expect(sighting.rssi.map { (-127...20).contains($0) } ?? true)
        }
        #expect(sightings.map { $0.time ?? "" } == sightings.map { $0.time ?? "" }.sorted())
        #expect(Set(sightings.map(\.minor)).count > 1)
        // More may have come before it was stopped.
        let count = try #require(end.errors.firstMatch(of: /iBeacons (\d+)/).flatMap { Int($0.1) }, "\(end.errors)")
        #expect(count >= 20, "counts on standard error: \(end.errors)")
    }

    @Test("sightings as CSV and as a table")
    func sightingsText() async throws {
        let csv = try await Self.run("sightings", "--source", "sim", "--limit", "5", "--format", "csv")
        #expect(csv.lines.first == sightingsHeader)
        #expect(csv.lines.count == 6)
        #expect(csv.lines.allSatisfy { $0.filter { $0 == "," }.count == 9 })

        let table = try await Self.run("sightings", "--source", "sim", "--limit", "5")
        #expect(table.lines.count == 6)
        let upper = /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/
        let columns = table.lines.dropFirst().map { line in
            line.firstMatch(of: upper).map { line.distance(from: line.startIndex, to: $0.range.lowerBound) }
        }
        #expect(Set(columns).count == 1 && columns.first != .some(nil), "aligned, with UUIDs in upper case")
    }

    @Test("range as JSON: ranks, intervals, order of time")
    func rangeJSON() async throws {
        let range = try RunningProgram(
            Programs.beaconctl, ["range", "--source", "sim", "--interval", "0.5", "--format", "json"])
        try await range.waitUntil("several are ranked") { program in
            let ticks: [RankingTick] = try decodeLines(program.lines)
            return ticks.count { $0.scanner == "ok" } >= 15
                && ticks.contains { $0.beacons.count >= 3 && $0.nearest != nil }
        }
        let end = try await range.stop(with: SIGINT)
        #expect(end.status == 0, "\(end.errors)")
        let ticks: [RankingTick] = try decodeLines(end.lines)
        let documented: Set = ["time", "scanner", "nearest", "beacons"]
        for line in end.lines { #expect(try keys(of: line) == documented) }
        #expect(ticks.map(\.time) == ticks.map(\.time).sorted())
        var intervals = 0
        for tick in ticks {
            #expect(isTimestamp(tick.time))
            // A busy machine may give neither the air nor the listener a turn.
            #expect(["ok", "blind"].contains(tick.scanner))
            #expect(tick.beacons.map(\.rank) == tick.beacons.indices.map { $0 + 1 })
            for beacon in tick.beacons {
                #expect(["immediate", "near", "far", "unknown"].contains(beacon.proximity))
                #expect(beacon.count > 0 && isTimestamp(beacon.lastSeen) && beacon.lastSeen <= tick.time)
                if let low = beacon.distanceLowM, let distance = beacon.distanceM, let high = beacon.distanceHighM {
                    #expect(low <= distance && distance <= high && low > 0)
                    intervals += 1
                }
            }
        }
        #expect(intervals > 0)
        // The walk begins in front of the first exhibit. A busy machine may let it be missed.
        let first = try #require(ticks.first { $0.nearest != nil })
        let nearest = try #require(first.nearest)
        #expect(nearest.major == 1)
        #expect(nearest.name == [1: "Steam Engine", 2: "Jacquard Loom", 3: "Whale Skeleton"][nearest.minor])
        #expect(first.beacons.first?.minor == nearest.minor)
    }

    @Test("range --once, as JSON, CSV and table")
    func rangeOnce() async throws {
        #expect(try await Self.run("range", "--source", "sim", "--once", "--format", "json").lines.count == 1)
        let csv = try await Self.run("range", "--source", "sim", "--once", "--format", "csv").lines
        #expect(csv.count > 1)
        #expect(Set(csv.map { $0.filter { $0 == "," }.count }).count == 1)
        let table = try await Self.run("range", "--source", "sim", "--once")
        #expect(table.output.contains("Steam Engine"))
    }

    @Test("range also ranks where nothing is in range, and for as little as a second")
    func rangeShort() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/none.yaml"
        try "beacons:\n  - {payload: 02 01 1A 02 FF, position: [1, 1]}\n".write(
            toFile: file, atomically: false, encoding: .utf8)
        for options in [["--once"], ["--duration", "1"]] {
            let none = try await RunningProgram.listenShortly(
                Programs.beaconctl, ["range", "--source", "sim:\(file)", "--format", "json"] + options
            ) { $0.status != 0 || $0.output.contains(#""scanner":"ok""#) }
            #expect(none.status == 0, "\(none.errors)")
            #expect(none.output.contains(#""nearest":null,"beacons":[]"#), "\(none.output)")
            #expect(none.output.contains(#""scanner":"ok""#), "\(none.output)")
        }
        func ranked(_ outcome: RunningProgram.Outcome) throws -> [RankingTick] { try decodeLines(outcome.lines) }
        let short = try await RunningProgram.listenShortly(
            Programs.beaconctl, ["range", "--source", "sim", "--duration", "1", "--format", "json"]
        ) { try ranked($0).last?.beacons.isEmpty == false }
        #expect(try ranked(short).last?.beacons.isEmpty == false, "\(short.output)")
    }

    @Test("a recording without an iBeacon is said to have none")
    func rangeNothing() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/none.csv"
        try "time,scanner,uuid,major,minor,measured_power,rssi\n".write(
            toFile: file, atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(Programs.beaconctl, ["range", "--source", "file:\(file)"])
        #expect(end.errors.contains("no iBeacon was heard"), "\(end.errors)")
    }

    @Test("report --source: one line a beacon in CSV, one document in JSON, words in text")
    func report() async throws {
        let folder = try TemporaryFolder()
        let (file, live) = try await CaptureTests.record(in: folder.path)
        let beacons = Set(live.map { $0["minor"] }).count
        let csv = try await Self.run("report", "--source", "file:\(file)", "--format", "csv")
        #expect(csv.lines.count == beacons + 1)
        let json = try await Self.run("report", "--source", "file:\(file)", "--format", "json")
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
        let text = try await Self.run("report", "--source", "file:\(file)")
        #expect(text.output.contains("7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096"))

        let written = "\(folder)/report.csv"
        _ = try await Self.run("report", "--source", "file:\(file)", "--format", "csv", "-o", written)
        #expect(try String(contentsOfFile: written, encoding: .utf8) == csv.output)
    }

    @Test("a scenario of one's own; a wrong one is told with file and line")
    func scenario() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/one.yaml"
        try Scenarios.walkPast(seconds: 2, exhibits: 2).write(toFile: file, atomically: false, encoding: .utf8)
        let end = try await Self.run("sightings", "--source", "sim:\(file)", "--limit", "3", "--format", "csv")
        #expect(rows(ofCSV: end.lines).map { $0["uuid"] } == [Scenarios.uuid, Scenarios.uuid, Scenarios.uuid])

        try "beacons:\n  - name: x\n    colour: red\n".write(toFile: file, atomically: false, encoding: .utf8)
        let wrong = try await RunningProgram.run(Programs.beaconctl, ["sightings", "--source", "sim:\(file)"])
        #expect([1, 2].contains(wrong.status))
        #expect(wrong.errors.contains("\(file):"))
    }
}
