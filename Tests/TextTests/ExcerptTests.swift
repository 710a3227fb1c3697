import Testing
import Text

@Suite("An excerpt of somebody's text")
struct ExcerptTests {
    @Test("is one printable line that is not too long")
    func long() {
        #expect(excerpt("hall") == "hall")
        #expect(excerpt("a\u{0}\n\u{202E}b") == "a\u{FFFD} \u{FFFD}b")
        let text = excerpt(String(repeating: "x", count: 1_000_000) + "end")
        #expect(displayWidth(text) == 100)
        #expect(text.hasSuffix("end"))
    }

    @Test(
        "of a URL has no user and no password",
        arguments: [
            ("http://192.0.2.7:8080/site", "http://192.0.2.7:8080/site"),
            ("https://ann:secret@host/site", "https://…@host/site"),
            ("ftp://ann:sec@ret@host", "ftp://…@host"),
            ("ann:secret@host", "…@host"),
            ("mailto:ann@host", "…@host"),
            ("@", "…@"),
            ("", ""),
        ])
    func withoutPassword(url: String, shown: String) {
        #expect(withoutUser(url) == shown)
    }
}
