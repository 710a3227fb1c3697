import TestSupport
import Testing
import Text

@Suite("A word in a command that users paste", .timeLimit(.minutes(10)))
struct ShellWordTests {
    @Test(
        "is read by a shell as what it is",
        arguments: [
            "beacond.yaml", "a b", "it's", "it'\u{301}s; echo no", "'\u{301}", "\u{600}'; echo no", "$(echo no)",
            "`echo no`", "\\", "\"", "*",
            "-n", "", "two\nlines", "Saal 3: الحوت الأزرق", "½", "~", "#a", "!1", "a'\u{200D}'b",
        ])
    func roundTrip(word: String) async throws {
        let outcome = try await RunningProgram.run("/bin/sh", ["-c", "printf %s \(shellWord(word))"])
        #expect(outcome.status == 0 && Array(outcome.output.utf8) == Array(word.utf8))
    }

    @Test("has no quotes where it needs none", arguments: ["beacond.yaml", "/etc/beacond", "1.7", "Größe", "a=b"])
    func plain(word: String) {
        #expect(shellWord(word) == word)
    }
}
