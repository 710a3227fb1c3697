import Console
import Testing
import Text

@Suite("What a check found")
struct CheckLineTests {
    private static let detail = "another program switched the duplicate filter on 3 times, stopped the scan 12 times"
    private static let remedy = "run: sudo setcap cap_net_raw+ep /usr/local/bin/beaconctl, or in a systemd unit: so"

    @Test("fits the terminal, and what can be pasted stays one line", arguments: [20, 40, 60, 80, 120, 200])
    func fitsTerminal(columns: Int) throws {
        let text = CheckLine.text(
            .warning, "duplicates", Self.detail, Self.remedy, Terminal(isTerminal: true, columns: columns))
        let lines = text.split(separator: "\n").map(String.init)
        let last = try #require(lines.last)
        #expect(last.drop { $0 == " " } == Self.remedy)
        #expect(lines.first?.hasPrefix("warning  ") == true && lines.first?.contains("duplicates") == true)
        for line in lines.dropLast() { #expect(displayWidth(line) < columns, "\(line)") }
        let words = lines.dropLast().joined(separator: " ").split(separator: " ").map(String.init)
        #expect(words == ["warning", "duplicates"] + Self.detail.split(separator: " ").map(String.init))
    }

    @Test("that is missing is named where a signal came before it")
    func interruption() {
        #expect(CheckLine.interruption(before: ["listening", "clock"]).hasSuffix(": listening, clock"))
        #expect(CheckLine.interruption(before: []) == "interrupted after the last check")
    }

    @Test("is a line where nothing is limited, and can hide nothing")
    func isLine() {
        let pipe = Terminal(isTerminal: false)
        #expect(CheckLine.text(.ok, "clock", Self.detail, "", pipe) == "ok       clock           \(Self.detail)")
        let text = CheckLine.text(.failure, "a\u{1B}[2J", "b\u{202E}\n", "c\nd", pipe)
        #expect(text.split(separator: "\n").count == 2 && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    }
}
