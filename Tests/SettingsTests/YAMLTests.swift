import Foundation
import TestSupport
import Testing
import YAMLText

/// What people and attackers write as YAML. Each is read to its end, or refused with its line.
@Suite(.timeLimit(.minutes(10)))
struct YAMLTests {
    private func lines(_ text: String) -> [String] {
        var reader = YAMLReader()
        _ = reader.document(text)
        return DocumentError(file: "f", issues: reader.issues).lines
    }

    /// Each level holds nine of the level before.
    private static func laughs(_ levels: Int, end: String) -> String {
        (1...levels).map { level in
            let inner = Array(repeating: level == 1 ? "lol" : "*a\(level - 1)", count: 9).joined(separator: ", ")
            return "a\(level): &a\(level) [\(inner)]\n"
        }.joined() + end
    }

    @Test("nothing is no value", arguments: ["null", "Null", "NULL", "~"])
    func nothing(word: String) {
        var reader = YAMLReader()
        let root = reader.document("a: \(word)\n")
        #expect(reader.text(root?["a"], "a") == nil)
        let lines = DocumentError(file: "f", issues: reader.issues).lines
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("f:1:4: a is \(word), which is no value") == true, "\(lines)")
    }

    @Test("words and numbers are the text that was written", arguments: [
        ("'null'", "null"), ("\"~\"", "~"), ("!!str null", "null"), ("nullable", "nullable"), ("NuLL", "NuLL"),
        ("~x", "~x"), ("no", "no"), ("Yes", "Yes"), ("on", "on"), ("0123", "0123"), ("1e3", "1e3"), ("0x10", "0x10"),
        ("1_000", "1_000"), (".inf", ".inf"), ("2026-01-01", "2026-01-01"), ("12:30:00", "12:30:00"), ("''", ""),
    ])
    func written(yaml: String, text: String) {
        var reader = YAMLReader()
        let root = reader.document("a: \(yaml)\n")
        #expect(reader.text(root?["a"], "a") == text)
        #expect(reader.issues.isEmpty)
    }

    @Test("what could take for ever is refused with its place", arguments: [
        (laughs(3, end: "? *a3\n: 1\n"), "f:4:3: an alias cannot be a key here"),
        (laughs(60, end: ""), "f:5:10: aliases stand for more than 10000 values by *a4: write them out"),
        (laughs(60, end: "? [*a60]\n: 1\n"), "write them out"),
        (laughs(60, end: "{*a60: 1, *a60: 2}: 3\n"), "write them out"),
        ("? [a, b]\n: 1\n", "f:1:3: a key is a single value"), ("{? {a: b} : 1}\n", "a key is a single value"),
        ("a: &a [*a]\n", "f:1:8: *a stands for nothing"), ("a: &a {b: *a}\n", "f:1:11: *a stands for nothing"),
        ("*a : 1\n", "f:1:1: *a stands for nothing"),
        (String(repeating: "[", count: 100_000), "f:1:65: this is nested too deep"),
        (String(repeating: "[", count: 80), "f:1:65: this is nested too deep"),
        (String(repeating: "- ", count: 100_000) + "a\n", "f:1:129: this is nested too deep"),
        (String(repeating: "{a: ", count: 5000), "this is nested too deep"),
        (String(repeating: "? ", count: 100_000) + "a\n", "this is nested too deep"),
        (
            (1...80).map { "a\($0): &a\($0) [\($0 == 1 ? "" : "*a\($0 - 1)")]\n" }.joined(),
            "f:64:12: this is nested too deep"
        ),
        ("a: 1\nb: 2\na: 3\n", "f:3:1: 'a' stands here more than once; the first is in line 1"),
        ("a: 1\n---\nb: 2\n", "f:2:1: this is not YAML: there is a second document"),
        ("a: [1\nb: 2\n", "this is not YAML"), ("a: \u{1}\n", "f:1: this is not YAML"),
    ])
    func whatCould(text: String, told: String) {
        let lines = lines(text)
        #expect(lines.contains { $0.contains(told) }, "\(lines.prefix(3))")
    }

    @Test("aliases stand for what they name")
    func aliasesStand() throws {
        var reader = YAMLReader()
        let document = reader.document("a: &x one\nb: *x\nc: &y [1, *x]\nd: *y\n")
        let root = try #require(document)
        #expect(reader.issues.isEmpty)
        #expect(root["b"]?.scalar?.string == "one")
        #expect(root["d"] == root["c"] && root["d"]?.sequence?.count == 2)
        #expect(root["b"]?.mark == Mark(line: 1, column: 4))
    }

    /// How many values there are in one, as often as each is there.
    private func count(_ node: Node) -> Int {
        switch node {
        case .scalar: 1
        case .sequence(let sequence): sequence.reduce(1) { $0 + count($1) }
        case .mapping(let mapping): mapping.reduce(1) { $0 + 1 + count($1.value) }
        }
    }

    @Test("noise of YAML's own signs is read in bounds", arguments: 0..<8 as Range<UInt64>)
    func noiseOfYAMLs(seed: UInt64) throws {
        let words = [
            "&a ", "*a ", "&b ", "*b ", "? ", ": ", "- ", "[", "]", "{", "}", ", ", "\n", "\n  ", "\n    ", "x", "y: ",
            "\"", "'", "# ", "!t ", "!!str ", "| ", "> ", "%YAML 1.2\n", "---\n", "...\n", "<<: ", "\u{FEFF}", "\0",
            "ü", "~",
        ]
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<2500 {
            let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                words[Int.random(in: 0..<words.count, using: &random)]
            }.joined()
            var reader = YAMLReader()
            let root = reader.document(text)
            if let root { #expect(count(root) <= 2 * text.utf8.count + 10_000) }
            refused += reader.issues.isEmpty ? 0 : 1
            for issue in reader.issues { #expect(issue.line.map { $0 >= 1 } == true) }
        }
        #expect(refused > 100 && refused < 2500)
    }
}
