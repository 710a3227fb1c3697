import Beacon
import Foundation
import Settings
import TestSupport
import Testing
import YAMLText

private let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

@Suite("Names of beacons in the configuration")
struct BeaconNamesTests {
    @Test("a name alone, or beside an expectation, of numbers or of a whole identity")
    func forms() throws {
        let known = try site(
            """
            beacons:
              1.7: Star Globe
              1.8: {name: " Moon ", expected: true}
              \(uuid.uppercased())/2/1:
                expected: true
              1.10: "الكرة: السماوية"

            """
        ).beacons
        let entries: [String: KnownBeacons.Entry] = [
            "1.7": .init(name: "Star Globe"), "1.8": .init(name: "Moon", isExpected: true),
            "\(uuid)/2/1": .init(name: nil, isExpected: true), "1.10": .init(name: "الكرة: السماوية"),
        ]
        var expected = KnownBeacons()
        for (text, entry) in entries { expected[try #require(BeaconKey(text))] = entry }
        #expect(known == expected)
        #expect(known.expected.map(\.description) == ["1.8", "\(uuid)/2/1"])
    }

    @Test("mistakes are told with line and column", arguments: [
        ("beacons: [1.7]\n", "f:1:10: beacons needs lines such as `1.7: Star Globe`, without dashes before them"),
        ("beacons:\n  1: Moon\n", "f:2:3: '1' is no beacon: write MAJOR.MINOR or UUID/MAJOR/MINOR"),
        ("beacons:\n  1.7: Moon\n  01.07: Sun\n", "f:3:3: 1.7 stands here already, further up"),
        ("beacons:\n  1.7:\n", "f:2:7: the name of 1.7 is empty"),
        (
            "beacons:\n  1.7: null\n",
            "f:2:8: the name of 1.7 is null, which is no value: write one, or leave it out; as a word it needs quotation marks"
        ),
        ("beacons:\n  1.7: [Moon]\n", "f:2:8: the name of 1.7 must be a single value"),
        ("beacons:\n  1.7: \"a\\nb\"\n", "f:2:8: the name of 1.7 has a line end or another control character in it"),
        ("beacons:\n  1.7: {nam: Moon}\n", "f:2:9: 'nam' is not known in the beacon 1.7: did you mean 'name'?"),
        ("beacons:\n  1.7: {name: Moon, expected: maybe}\n", "f:2:31: expected is 'maybe': true or false is needed"),
        (
            "beacons:\n  1.7: {expected: false}\n",
            "f:2:8: 1.7 has no name, and is not expected: give it a name, or `expected: true`"
        ),
    ])
    func mistakes(text: String, problem: String) throws {
        let problems = try problems(text)
        #expect(problems.contains(problem), "\(problems)")
    }

    @Test("a name has 200 characters at most, of whatever script", arguments: ["x", "ق", "👩‍🚀"])
    func length(character: String) throws {
        let longest = String(repeating: character, count: min(200, 1600 / character.utf8.count))
        #expect(try problems("beacons: {1.7: \(longest)}\n") == [])
        #expect(try problems("beacons: {1.7: \(longest + character)}\n") == [
            "f:1:16: the name of 1.7 is too long: at most 200 characters are allowed"
        ])
    }

    @Test("there are 10,000 at most")
    func number() throws {
        func text(_ count: Int) -> String {
            "beacons:\n" + (0..<count).map { "  \($0 / 100).\($0 % 100): x\n" }.joined()
        }
        #expect(try site(text(10_000)).beacons.entries.count == 10_000)
        #expect(try problems(text(10_001)) == ["f:2:3: beacons has 10001 entries: at most 10000 are allowed"])
    }
}

@Suite("Writing a beacon's name into a configuration")
struct BeaconNameEditTests {
    private func edited(_ text: String, _ key: String, _ name: String?) throws -> String {
        try BeaconNameEdit(beacon: try #require(BeaconKey(key)), name: name).applied(to: text, file: "f")
    }

    @Test("goes where the names are, or begins them, and leaves all else as it is", arguments: [
        ("", "beacons:\n  1.7: Star Globe\n"),
        ("# ours\n", "# ours\n\nbeacons:\n  1.7: Star Globe\n"),
        ("scan: {active: true}  # why\n", "scan: {active: true}  # why\n\nbeacons:\n  1.7: Star Globe\n"),
        ("beacons:\nscan: {active: true}\n", "beacons:\n  1.7: Star Globe\nscan: {active: true}\n"),
        (
            "beacons:  # by Ann\n    1.8: Moon  # new\n\n# end\nscan: {active: true}\n",
            "beacons:  # by Ann\n    1.8: Moon  # new\n    1.7: Star Globe\n\n# end\nscan: {active: true}\n"
        ),
        ("beacons: {1.8: Moon}  # few\n", "beacons: {1.7: Star Globe, 1.8: Moon}  # few\n"),
        ("beacons: {}\n", "beacons: {1.7: Star Globe}\n"),
        ("{beacons: {1.8: Moon}}\n", "{beacons: {1.7: Star Globe, 1.8: Moon}}\n"),
        ("beacons:\r\n  1.8: Moon\r\n", "beacons:\r\n  1.8: Moon\r\n  1.7: Star Globe\r\n"),
        ("beacons:\r\n  1.8: Moon\n# a\n# b\r\n", "beacons:\r\n  1.8: Moon\n  1.7: Star Globe\r\n# a\n# b\r\n"),
        ("beacons:\n  1.7: Moon  # was\n", "beacons:\n  1.7: Star Globe  # was\n"),
        ("beacons:\n  1.7: 'It''s'  # was\n", "beacons:\n  1.7: Star Globe  # was\n"),
        ("beacons:\n  \"01.07\": \"a \\\"b\\\\\" # c\n", "beacons:\n  \"01.07\": Star Globe # c\n"),
        (
            "beacons:\n  1.7: {expected: true, name: Moon}  # c\n",
            "beacons:\n  1.7: {expected: true, name: Star Globe}  # c\n"
        ),
        ("beacons:\n  1.7: {expected: true}\n", "beacons:\n  1.7: {name: Star Globe, expected: true}\n"),
        (
            "beacons:\n  1.7:\n    expected: true  # c\n  1.8: Moon\n",
            "beacons:\n  1.7:\n    name: Star Globe\n    expected: true  # c\n  1.8: Moon\n"
        ),
    ])
    func added(before: String, after: String) throws {
        #expect(try edited(before, "1.7", "Star Globe") == after)
        #expect(try edited(after, "1.7", "Star Globe") == after, "twice changes nothing")
    }

    @Test("any name is read as it was written", arguments: [
            "a: b", "# no comment", "- x", "\"quoted\"", "it's", "{", "[x]", "&a", "*a", "!t", "|", ">", "%", "@", "`",
            "true", "null",
            "1.7", "~", "back\\slash", "الكرة السماوية", "名前", "👩‍🚀 Raum", "a\u{2028}b", "a\u{FEFF}b",
            String(repeating: "ق", count: 200),
    ])
    func anyName(name: String) throws {
        for before in ["", "beacons:\n  1.7: Moon\n", "beacons: {1.7: Moon}\n"] {
            let text = try edited(before, "1.7", name)
            #expect(
                try site(text).beacons.name(of: BeaconID(uuid: ProximityUUID(1), major: 1, minor: 7)) == name, "\(text)"
            )
        }
    }

    @Test("is removed, with its line; an expectation stays", arguments: [
            ("beacons:\n  1.7: Moon  # c\n  1.8: Sun\n", "beacons:\n  1.8: Sun\n"),
            ("beacons:\n  1.7: Moon\n", "beacons:\n"),
            ("beacons:\r\n  1.7: Moon\n# note\n# note\r\n  1.8: Sun\n", "beacons:\r\n# note\n# note\r\n  1.8: Sun\n"),
        (
            "beacons:\n  1.7:\n    name: Moon\n    expected: true\n  1.8: Sun\n",
            "beacons:\n  1.7: {expected: true}\n  1.8: Sun\n"
        ),
        ("scan: {active: true}\n", "scan: {active: true}\n"),
    ])
    func removed(before: String, after: String) throws {
        #expect(try edited(before, "1.7", nil) == after)
    }

    @Test("what cannot be changed without risk is left to a person", arguments: [
            "{scan: {active: true}}\n", "beacons:\n  1.7: Moon\n    and Sun\n", "beacons:\n  1.7: >\n    Moon\n",
            "beacons: &b\n  1.7: *n\nscan: {active: true}\n",
        "beacons:\n  1.7: Moon\n  and\n",
    ])
    func refused(text: String) throws {
        #expect(throws: ConfigurationError.self) { try edited(text, "1.7", "Star Globe") }
    }
}

@Suite("A file of names for another program than the daemon")
struct KnownBeaconsFileTests {
    @Test("the example, and a whole configuration, name beacons", arguments: ["beacons", "beacond"])
    func examples(name: String) throws {
        let text = try String(contentsOfFile: "\(Programs.project)/examples/\(name).yaml", encoding: .utf8)
        let file = KnownBeaconsFile(text + (name == "beacons" ? "" : "\nbeacons:\n  1.7: Star Globe\n"))
        #expect(file.issues == [])
        #expect(file.beacons.name(of: BeaconID(uuid: ProximityUUID(5), major: 1, minor: 7)) == "Star Globe")
    }

    @Test("one without beacons gives no names", arguments: ["", "mqtt: {url: x}", "beacons:", "beacons: {}"])
    func none(text: String) {
        let file = KnownBeaconsFile(text)
        #expect(file.issues == [] && file.beacons.isEmpty)
    }

    @Test(
        "what is wrong is told, with what to write",
        arguments: [
            ("beacons: 1.7", "without dashes"),
            ("beacons: {1.7.3: A}", "no beacon"), ("beacons: {1.7: ''}", "is empty"), ("- a", "beacons is missing"),
            ("beacons:\n  1.7: A\n  01.07: B", "here already"),
        ])
    func mistakes(text: String, words: String) {
        let issues = KnownBeaconsFile(text).issues
        #expect(issues.contains { $0.message.contains(words) }, "\(issues)")
    }
}
