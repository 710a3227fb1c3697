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
        "is printable wherever it is cut",
        arguments: [
            "क\u{200D}", "क\u{200C}", "👩\u{200D}", "\u{202E}\u{200D}क", "a\u{301}", "क\u{200D}\u{180C}",
            "क" + String(repeating: "\u{93C}", count: 8) + "\u{200D}\u{93C}x",
        ])
    func cut(piece: String) {
        let text = String(repeating: piece, count: 30)
        for width in 0...40 {
            let shown = excerpt(text, width)
            #expect(printable(shown) == shown && displayWidth(shown) <= width)
        }
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
