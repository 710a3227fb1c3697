import Console
import Testing
import Text

@Suite("The command line")
struct CommandLineTests {
    @Test(
        "a negative number behind an option is its value",
        arguments: [
            ("--measured-power -59", "--measured-power=-59"), ("--x -.5 --y -1e3", "--x=-.5 --y=-1e3"),
            ("watch --after -1 --json", "watch --after=-1 --json"), ("--x=1 -5", "--x=1 -5"), ("--x 1 -5", "--x 1 -5"),
            ("--x -y", "--x -y"), ("--x - y", "--x - y"), ("--x --help", "--x --help"), ("-o -5", "-o -5"),
            ("-5", "-5"),
            ("--x -1 -2", "--x=-1 -2"), ("-- --x -5", "-- --x -5"), ("--x", "--x"), ("--x -24h", "--x=-24h"),
        ])
    func negativeNumbers(words: String, joined: String) {
        func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        #expect(CommandWords.joiningNegativeNumbers(split(words)) == split(joined))
    }

    @Test("an argument that is not UTF-8 is named by its number, and any text is none")
    func notUTF8() {
        #expect(CommandWords.problem(of: []) == nil)
        let texts = ["--config", "متحف", "\u{301}x", "\u{FFFD}", ""]
        #expect(CommandWords.problem(of: texts.map { Array($0.utf8) }) == nil)
        let problem = CommandWords.problem(of: [Array("--config".utf8), [0x61, 0xFF, 0x62], [0xFF]])
        #expect(problem?.hasPrefix("argument 2 is not UTF-8: \"a\u{FFFD}b\";") == true, "\(problem ?? "")")
    }

    static let commands = ["decode", "sightings", "capture", "range", "report", "status", "watch", "regions", "explain"]

    @Test(
        "what was probably meant",
        arguments: [
            ("rang", "range"), ("sighting", "sightings"), ("sihgtings", "sightings"), ("RANGE", "range"),
            ("stat", "status"), ("raport", "report"), ("wacth", "watch"), ("x", nil), ("frobnicate", nil), ("", nil),
            ("re", "report"), (String(repeating: "range", count: 1000), nil),
        ] as [(String, String?)])
    func suggestion(word: String, meant: String?) {
        #expect(Suggestion.nearest(to: word, among: Self.commands) == meant)
    }
}
