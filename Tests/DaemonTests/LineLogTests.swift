import Daemon
import Testing

@Suite("Lines of the log")
struct LineLogTests {
    @Test(
        "an event is one line, whatever ends the lines of its text",
        arguments: [
            ("a\nb", "a | b"), ("a\r\nb", "a | b"), ("a\n\r\nb", "a |  | b"), ("a", "a"), ("\u{1B}a", "\u{FFFD}a"),
        ])
    func oneLine(text: String, expected: String) {
        #expect(LineLogHandler.line(text) == expected)
    }
}
