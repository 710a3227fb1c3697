import Foundation
import Testing
import TestSupport

/// Several receivers, in one file or in several.
@Suite(.timeLimit(.minutes(10)))
struct ReceiverTests {
    private static let header = "time,scanner,uuid,major,minor,measured_power,rssi"
    private static let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,2,-59"

    /// Twenty seconds of one beacon beside the first receiver and far from the second, ten readings a second each.
    private static func rows(_ scanners: [(name: String, rssi: Int)]) -> String {
        var rows = [header]
        for step in 0..<200 {
            for (index, scanner) in scanners.enumerated() {
                let time = 1_767_225_600 + Double(step) / 10 + Double(index) / 100
                rows.append(String(format: "%.3f", time) + ",\(scanner.name),\(beacon),\(scanner.rssi)")
            }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    private static let near = (name: "hall", rssi: -50)
    private static let far = (name: "\"cellar, \"\"east\"\"\"", rssi: -90)

    /// The files that hold both.
    static let arrangements: [(name: String, files: [String])] = [
        ("one file", [rows([near, far])]), ("one file, the other order", [rows([far, near])]),
        ("a file each", [rows([near]), rows([far])]), ("a file each, the other order", [rows([far]), rows([near])]),
    ]

    private func listing(_ command: String, _ files: [String], in folder: String) async throws -> RunningProgram.Outcome
    {
        var arguments = [command, "--format", command == "range" ? "json" : "csv"]
        if command == "range" { arguments += ["--config", "none"] }
        for (index, text) in files.enumerated() {
            let file = "\(folder)/\(index).csv"
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            arguments += ["--source", "file:\(file)"]
        }
        let end = try await RunningProgram.run(Programs.beaconctl, arguments)
        try #require(end.status == 0, "\(end.errors)")
        return end
    }

    @Test(
        "a beacon beside one receiver is near, whatever the other hears and in whatever order", arguments: arrangements)
    func noJumps(_ arrangement: (name: String, files: [String])) async throws {
        let folder = try TemporaryFolder()
        let end = try await listing("range", arrangement.files, in: folder.path)
        var distances: Set<Double> = []
        for line in end.lines {
            let ranking = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let beacons = ranking?["beacons"] as? [[String: Any]] ?? []
            #expect(beacons.count == 1)
            if let distance = beacons.first?["distance_m"] as? Double { distances.insert(distance) }
        }
        #expect(end.lines.count >= 19)
        #expect(distances.count == 1, "\(distances.sorted())")
        #expect(distances.allSatisfy { $0 < 1 })
    }

    @Test("sightings of several files come in the order of their times", arguments: arrangements)
    func byTime(_ arrangement: (name: String, files: [String])) async throws {
        let folder = try TemporaryFolder()
        let times = try await listing("sightings", arrangement.files, in: folder.path).lines.dropFirst().map {
            $0.prefix(27)
        }
        #expect(times.count == 400)
        #expect(times == times.sorted())
    }

    @Test("the receivers' names are kept, also when what was listed is listed again")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let first = try await listing("sightings", [Self.rows([Self.near, Self.far])], in: folder.path)
        #expect(first.lines.first == sightingsHeader + ",scanner")
        #expect(first.lines[1].hasSuffix(",-59,hall"))
        #expect(first.lines[2].hasSuffix(",-59,\"cellar, \"\"east\"\"\""))
        let second = try await listing("sightings", [first.output], in: folder.path)
        // The source is another file; all else is the same to the letter.
        let source = "file:\(folder)/0.csv"
        #expect(second.output == first.output)
        #expect(first.lines.dropFirst().allSatisfy { $0.contains(",\(source),") })
    }

    @Test("a file that cannot be opened ends it before anything is listed, and says which")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let there = "\(folder)/there.csv"
        try Self.rows([Self.near]).write(toFile: there, atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["sightings", "--format", "csv", "--source", "file:\(there)", "--source", "file:\(folder)/missing.csv"])
        #expect(end.status == 1)
        #expect(end.output.isEmpty)
        #expect(end.errors.contains("missing.csv"))
    }
}
