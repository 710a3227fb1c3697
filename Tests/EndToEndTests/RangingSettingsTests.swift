import Foundation
import Testing
import TestSupport

/// A site's settings in the programs, and what writes them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RangingSettingsTests {
    /// Captures of a beacon that claims -59 dBm and sends -66, at each distance; a weak other one beside it.
    struct Recording {
        let folder: String
        static let uuid = "5d3ab1f0-7c1e-4d8e-9a55-0b6f2c417e93"

        init(_ distances: [Double], readings: Int = 200, scatter: Int = 4) throws {
            folder = try temporaryFolder("ranging")
            for metres in distances {
                var text = "time,scanner,uuid,major,minor,measured_power,rssi\n"
                for step in 0..<readings {
                    let time = 1_700_000_000 + Double(step) / 10
                    let level = -66 - 22 * log10(metres) + Double(step * 7 % (2 * scatter + 1) - scatter)
                    text += "\(time),w,\(Self.uuid),1,7,-59,\(Int(level.rounded()))\n"
                    text += "\(time + 0.05),w,\(Self.uuid),1,8,-59,-94\n"
                }
                try text.write(toFile: file(metres), atomically: false, encoding: .utf8)
            }
        }

        func file(_ metres: Double) -> String { "\(folder)/\(Int(metres))m.csv" }

        func write(_ text: String, to name: String = "beacond.yaml") throws -> String {
            try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            return "\(folder)/\(name)"
        }

        func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }

        /// The last ranking of the capture at 1 m.
        func ranking(_ arguments: String...) async throws -> RankingTick {
            let end = try await RunningProgram.run(
                Programs.beaconctl, ["range", "--source", "file:\(file(1))", "--format", "json"] + arguments)
            #expect(end.status == 0, "\(end.errors)")
            return try #require(try decodeLines(end.lines, as: RankingTick.self).last)
        }
    }

    @Test("a calibration that is written makes the distance right in range, and explain says so")
    func calibration() async throws {
        let recording = try Recording([1, 4])
        defer { recording.cleanUp() }
        let text = "# ours\nranging:  # by Ann\n  near_m: 2.5\n\nscan: {profile: balanced}\n"
        let config = try recording.write(text)
        let before = try await recording.ranking("--config", config)
        #expect(try #require(before.beacons.first?.distanceM) > 1.6)

        let svg = "\(recording.folder)/plot.svg"
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            [
                "calibrate", "--source", "file:\(recording.file(1))", "--distance", "1",
                "--source", "file:\(recording.file(4))", "--distance", "4", "--config", config, "--write", "--svg", svg,
                "--format", "json",
            ])
        #expect(end.status == 0, "\(end.errors)")
        #expect(
            try keys(of: end.output).isSuperset(of: ["uuid", "measured_power", "low", "high", "samples", "scanner"]))
        #expect(
            end.errors.contains("written to \(config); a running daemon that uses this file reloads it in a moment\n"))
        #expect(try String(contentsOfFile: svg, encoding: .utf8).contains("</svg>"))
        let written = try String(contentsOfFile: config, encoding: .utf8)
        #expect(text.split(separator: "\n").allSatisfy { written.split(separator: "\n").contains($0) })

        let after = try await recording.ranking("--config", config)
        let beacon = try #require(after.beacons.first)
        #expect((0.8...1.25).contains(try #require(beacon.distanceM)))
        #expect(beacon.measuredPower == -59, "what is claimed stays what is claimed")

        let explanation = try await RunningProgram.run(
            Programs.beaconctl, ["explain", "1.7", "--source", "file:\(recording.file(1))", "--config", config])
        #expect(explanation.status == 0)
        #expect(explanation.output.contains("-59 dBm at 1 m claimed, -6"))
        #expect(explanation.output.contains("nearest    yes"))
        // The scanner that the table names.
        #expect(explanation.output.contains("dBm from w, of "), "\(explanation.output)")
    }

    @Test("what others write into the configuration during the measurement is kept")
    func changedMeanwhile() async throws {
        let recording = try Recording([1])
        defer { recording.cleanUp() }
        let config = try recording.write("# ours\n")
        let run = try RunningProgram(
            Programs.beaconctl,
            ["calibrate", "--source", "file:-", "--beacon", "1.7", "--duration", "15", "--config", config, "--write"],
            input: .pipe)
        // It has read the configuration before.
        try await run.waitUntil("it waits for the recording") { $0.handles(SIGINT) }
        _ = try recording.write("# ours\nscan: {profile: balanced}\n")
        // The readings last 20 seconds: those after the limit end the run.
        try run.write(String(contentsOfFile: recording.file(1), encoding: .utf8))
        let end = try await run.wait()
        #expect(end.status == 0, "\(end.errors)")
        let text = try String(contentsOfFile: config, encoding: .utf8)
        #expect(text.hasPrefix("# ours\nscan: {profile: balanced}\n") && text.contains("measured_power: "), "\(text)")
    }

    @Test("without a configuration the built-in settings hold, and variables override both")
    func precedence() async throws {
        let recording = try Recording([1])
        defer { recording.cleanUp() }
        let near = try recording.write("ranging: {near_m: 20, immediate_m: 15}\n")
        // What it claims is not measured, so that the middle of its interval decides, which is beyond 3 m.
        #expect(try await recording.ranking("--config", "none").beacons.first?.proximity == "far")
        #expect(try await recording.ranking("--config", near).beacons.first?.proximity == "immediate")
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["range", "--source", "file:\(recording.file(1))", "--format", "json", "--config", near],
            environment: ["BEACOND_RANGING_NEAR_M": "0.02", "BEACOND_RANGING_IMMEDIATE_M": "0.01"])
        #expect(try decodeLines(end.lines, as: RankingTick.self).last?.beacons.first?.proximity == "far")
    }

    @Test(
        "what a calibration cannot do it says, and changes nothing",
        arguments: [
            (["--beacon", "9.9"], 1, "1/7"), (["--distance", "0"], 2, "--distance"),
            (["--distance", "1", "--distance", "2"], 2, "one for each distance"),
            (["--config", "none", "--write"], 2, "--config"),
            (["--write", "--config", "/nonexistent/f.yaml"], 2, "/nonexistent/f.yaml"),
            (["--beacon", "1.8", "--duration", "1"], 1, "only 10 readings"),
        ] as [([String], Int32, String)])
    func refusals(arguments: [String], status: Int32, words: String) async throws {
        let recording = try Recording([1])
        defer { recording.cleanUp() }
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["calibrate", "--source", "file:\(recording.file(1))"] + arguments)
        #expect(end.status == status)
        #expect(end.errors.contains(words), "\(end.errors)")
        #expect(end.output.isEmpty)
    }

    @Test("a measurement that wandered too much is not written")
    func wandering() async throws {
        let recording = try Recording([1], scatter: 20)
        defer { recording.cleanUp() }
        let config = try recording.write("ranging:\n")
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["calibrate", "--source", "file:\(recording.file(1))", "--beacon", "1.7", "--config", config, "--write"])
        #expect(end.status == 1)
        #expect(end.output.contains("measure again"))
        #expect(try String(contentsOfFile: config, encoding: .utf8) == "ranging:\n")
    }

    @Test("a configuration that is named has to be there: a mistyped name would hide itself")
    func mistyped() async throws {
        let recording = try Recording([1])
        defer { recording.cleanUp() }
        let config = "\(recording.folder)/new.yaml"
        let end = try await RunningProgram.run(
            Programs.beaconctl,
            ["calibrate", "--source", "file:\(recording.file(1))", "--config", config, "--write"])
        #expect(end.status == 2)
        #expect(end.errors.contains("new.yaml"))
        #expect(!FileManager.default.fileExists(atPath: config))
    }

    @Test("on the emulated air it listens by itself, and a terminal is not needed")
    func emulated() async throws {
        // Without --duration it goes on until there are enough readings.
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["calibrate", "--source", "sim", "--beacon", "Steam Engine", "--format", "json"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("\"name\":\"Steam Engine\""))
    }

    @Test("explain without a source says that no daemon is running, and what to do; calibrate needs a source")
    func noDaemon() async throws {
        let explain = try await RunningProgram.run(Programs.beaconctl, ["explain", "1.7"])
        #expect(explain.status == 1)
        #expect(explain.errors.contains("--source") && explain.errors.contains("systemctl start beacond"))
        let calibrate = try await RunningProgram.run(Programs.beaconctl, ["calibrate"])
        #expect(calibrate.status == 2 && calibrate.errors.contains("--source"))
    }

    @Test("the daemon tells regions as they are entered, dwelled in and left")
    func regions() async throws {
        let recording = try Recording([1], readings: 30)
        defer { recording.cleanUp() }
        // After 3 s of both only the weak one goes on, and after 12 s neither. The replay keeps the clock's pace: if a
        // busy machine holds it up for less than 5 s, no beacon leaves too early.
        let capture = recording.file(1)
        var text = try String(contentsOfFile: capture, encoding: .utf8)
        for step in 30..<250 {
            let (major, minor) = step < 120 ? (1, 8) : (2, 99)
            text += "\(1_700_000_000.0 + Double(step) / 10),w,\(Recording.uuid),\(major),\(minor),-59,-80\n"
        }
        try text.write(toFile: capture, atomically: false, encoding: .utf8)
        let config = try recording.write(
            """
            sources: ["file:\(capture)"]
            ranging:
              exit_floor_s: 5
              exit_cap_s: 5
            regions:
              - {name: Hall 1, uuid: \(Recording.uuid), major: 1, dwell_s: 2}
              - {name: Engine, uuid: \(Recording.uuid), major: 1, minor: 7}
            directories: {state: \(recording.folder)/state}
            """)
        let daemon = try RunningProgram(Programs.beacond, ["--config", config])
        let end = try await daemon.wait()
        #expect(end.status == 0, "\(end.errors)")
        let told = end.errors.split(separator: "\n").filter { $0.contains("region ") }
        let order = [
            "entered  region", "entered  region", "dwelled  in region Hall 1", "exited   region Engine",
            "exited   region Hall 1",
        ]
        #expect(told.count == order.count)
        // Entered together, in either order.
        #expect(zip(told, order).allSatisfy { $0.contains($1) }, "\(told)")
    }
}
