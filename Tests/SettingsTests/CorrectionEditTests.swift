import Beacon
import Foundation
import Ranging
import Settings
import Testing
import TestSupport

@Suite("Putting a correction into a configuration")
struct CorrectionEditTests {
    static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

    private let id = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 7, minor: 9)

    private func edit(power: Double = -63.44) -> CorrectionEdit {
        CorrectionEdit(
            beacon: BeaconConstraint(id), measuredPower: power, deviation: 1.52, note: "calibrated 2026-01-02")
    }

    private func expected(indent: String) -> String {
        [
            "- uuid: \(Self.uuid)", "  major: 7", "  minor: 9", "  measured_power: -63.4  # calibrated 2026-01-02",
            "  deviation_db: 1.5",
        ]
            .map { indent + $0 + "\n" }.joined()
    }

    @Test("an empty one gets it")
    func empty() throws {
        #expect(
            try edit().applied(to: "", file: "f")
                == "ranging:\n  corrections:\n" + expected(indent: "    "))
        #expect(
            try edit().applied(to: "# about the museum\n", file: "f")
                == "# about the museum\n\nranging:\n  corrections:\n" + expected(indent: "    "))
    }

    @Test("all else stays as it is: comments, order, blank lines, line ends", arguments: ["\n", "\r\n"])
    func rest(end: String) throws {
        let head = "# Museum\nsources: [hci0]   # the dongle\n\nranging:   # by Ann\n  near_m: 2.5\n\n  corrections:\n"
            + "    # the old one\n    - uuid: \(Self.uuid)\n      offset_db: -2  # guessed\n"
        let tail = "\n# what follows\nscan: {profile: balanced}\nregions:\n  - {name: ä, uuid: \(Self.uuid)}\n"
        func ended(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: end) }
        #expect(
            try edit().applied(to: ended(head + tail), file: "f") == ended(head + expected(indent: "    ") + tail))
    }

    @Test(
        "it goes where its list is, or begins it",
        arguments: [
            ("ranging:\n", "ranging:\n  corrections:\n", "    ", ""),
            ("ranging:\nscan: {active: true}\n", "ranging:\n  corrections:\n", "    ", "scan: {active: true}\n"),
            ("ranging:\n    near_m: 2\n", "ranging:\n    corrections:\n", "      ", "    near_m: 2\n"),
            ("ranging:\n  corrections:\n  near_m: 2\n", "ranging:\n  corrections:\n", "    ", "  near_m: 2\n"),
            (
                "ranging:\n  corrections:\n  - {uuid: \(Self.uuid), exit_s: 9}\n  near_m: 2\n",
                "ranging:\n  corrections:\n  - {uuid: \(Self.uuid), exit_s: 9}\n", "  ", "  near_m: 2\n"
            ),
        ])
    func places(text: String, head: String, indent: String, tail: String) throws {
        #expect(try edit().applied(to: text, file: "f") == head + expected(indent: indent) + tail)
    }

    @Test("an entry that is there is changed, and what else it says stays")
    func update() throws {
        let before = """
            ranging:
              corrections:
                - minor: 9        # the steam engine
                  exit_s: 60
                  uuid: \(Self.uuid.uppercased())
                  measured_power: -59.25   # calibrated 2020-01-01
                  major: 7

            """
        let after = """
            ranging:
              corrections:
                - minor: 9        # the steam engine
                  exit_s: 60
                  uuid: \(Self.uuid.uppercased())
                  measured_power: -63.4  # calibrated 2026-01-02
                  major: 7
                  deviation_db: 1.5

            """
        #expect(try edit().applied(to: before, file: "f") == after)
    }

    @Test("a comment of somebody's stays beside a value that is changed")
    func comment() throws {
        let before =
            "ranging:\n  corrections:\n  - uuid: \(Self.uuid)\n    major: 7\n    minor: 9\n    measured_power: -59 # "
                + "Ann\n"
            + "    deviation_db: 3\n"
        let after = before.replacingOccurrences(of: "-59 #", with: "-63.4 #").replacingOccurrences(
            of: ": 3\n", with: ": 1.5\n")
        #expect(try edit().applied(to: before, file: "f") == after)
    }

    @Test("an offset, which would have no effect any more, goes")
    func offset() throws {
        let before = "ranging:\n  corrections:\n  - uuid: \(Self.uuid)\n    major: 7\n    offset_db: -2\n    minor: 9\n"
        let after = "ranging:\n  corrections:\n  - uuid: \(Self.uuid)\n    major: 7\n    minor: 9\n"
            + "    measured_power: -63.4  # calibrated 2026-01-02\n    deviation_db: 1.5\n"
        #expect(try edit().applied(to: before, file: "f") == after)
    }

    @Test("entries in braces are changed in their braces")
    func braces() throws {
        let before = "ranging:\n  corrections:\n  - {uuid: \(Self.uuid), major: 7, minor: 9, measured_power: -59}\n"
        let after = "ranging:\n  corrections:\n  - {deviation_db: 1.5, uuid: \(Self.uuid), major: 7, minor: 9, "
            + "measured_power: -63.4}\n"
        #expect(try edit().applied(to: before, file: "f") == after)
    }

    @Test("doing it twice is doing it once")
    func twice() throws {
        let once = try edit(power: -61).applied(to: "scan: {active: true}\n", file: "f")
        let again = try edit().applied(to: once, file: "f")
        #expect(again == once.replacingOccurrences(of: "-61.0", with: "-63.4"))
        #expect(try edit().applied(to: again, file: "f") == again)
    }

    @Test(
        "what cannot be changed without risk is refused, with the lines to put in by hand",
        arguments: [
            "ranging: {near_m: 2}\n", "{sources: [sim]}\n", "ranging:\n  corrections: []\n",
            "ranging:\n  corrections:\n  - uuid: \(Self.uuid)\n    major: 7\n    minor: 9\n    measured_power: "
                + "\"-59\"\n",
            "ranging:\n  corrections:\n  - {uuid: \(Self.uuid), major: 7, minor: 9, offset_db: 2}\n",
            "ranging:\n  corrections:\n  - {uuid: \(Self.uuid),\n     exit_s: 9\n    }\n",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try edit().applied(to: text, file: "f") }
        #expect(error?.problems.first?.hasPrefix("f: ") == true)
        #expect(error?.description.contains("measured_power: -63.4") == true)
    }

    @Test("a configuration that is wrong is not touched")
    func wrong() {
        let error = #expect(throws: ConfigurationError.self) {
            try edit().applied(to: "ranging:\n  nearm: 2\n", file: "f")
        }
        #expect(error?.description.contains("f:2:3") == true)
    }

    @Test(
        "whatever the file, it has the correction afterwards and nothing else has changed, or it is refused",
        arguments: 1...30 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "# a comment", "", "sources: [hci0]", "regions:", "  - {name: a, uuid: \(Self.uuid)}", "ranging:",
            "  near_m: 2.5 # wide", "  corrections:", "    - uuid: \(Self.uuid)", "      major: 7", "      minor: 9",
            "      exit_s: 50", "    - {uuid: \(Self.uuid), offset_db: 3}", "  flood:", "    pairs_per_uuid: 50",
        ]
        var applied = 0
        for _ in 0..<20 {
            let lines = parts.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            let text = lines.map { $0 + "\n" }.joined()
            guard let before = try? site(text) else { continue }
            guard let edited = try? edit().applied(to: text, file: "f") else { continue }
            let after = try site(edited)
            var expected = before
            expected.settings.corrections[BeaconConstraint(id), default: .init()].measuredPower = -63.4
            expected.settings.corrections[BeaconConstraint(id), default: .init()].deviation = 1.5
            expected.settings.corrections[BeaconConstraint(id)]?.offset = nil
            #expect(after == expected)
            applied += 1
            let kept = edited.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(lines.filter { $0.hasPrefix("#") || $0.contains("# wide") }.allSatisfy(kept.contains))
        }
        #expect(applied > 0)
    }
}

@Suite("Writing a configuration", .timeLimit(.minutes(10)))
struct ConfigurationFileWriterTests {
    @Test("rights stay, and a link stays a link")
    func rights() throws {
        try withFile("old") { path in
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let link = path + ".link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            try ConfigurationFileWriter.change(link) { $0 = "new" }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(rights == 0o640)
            #expect(!FileManager.default.fileExists(atPath: path + ".part"))
        }
    }

    @Test("changes at the same time are all kept, also through a link")
    func together() async throws {
        let folder = try temporaryFolder("settings")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, link) = ("\(folder)/beacond.yaml", "\(folder)/link.yaml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    try ConfigurationFileWriter.change(number.isMultiple(of: 2) ? path : link) {
                        $0 += "# \(number)\n"
                    }
                }
            }
            try await group.waitForAll()
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(Set(lines) == Set((0..<20).map { "# \($0)" }) && lines.count == 20)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == ["beacond.yaml", "link.yaml"])
    }

    @Test("a change that fails, or changes nothing, leaves the file itself and nothing beside it")
    func unchanged() throws {
        try withFile("old") { path in
            func number() throws -> UInt64? {
                try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
            }
            let before = try number()
            try ConfigurationFileWriter.change(path) { _ in }
            #expect(throws: CancellationError.self) {
                try ConfigurationFileWriter.change(path) { text in
                    text = "new"
                    throw CancellationError()
                }
            }
            #expect(try number() == before && before != nil)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
            #expect(!FileManager.default.fileExists(atPath: path + ".part"))
        }
    }

    @Test("where it cannot be written the message says why and what to do")
    func refused() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFileWriter.change("/nonexistent/beacond.yaml") { $0 = "x" }
        }
        #expect(error?.description.contains("/nonexistent/beacond.yaml: cannot be written: No such file") == true)
    }
}
