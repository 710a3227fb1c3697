import Curation
import PastedHTML
import TestSupport
import Testing

@Suite("Pasted HTML")
struct PastedHTMLTests {
    static func html(_ pasted: String) throws -> String {
        try PastedHTML.page(pasted).html { PagePicture(source: "\($0.media)", alt: $0.alt.any([]) ?? "") }
    }

    @Test(
        "what a page can have is kept",
        arguments: [
            ("Hello", "<p>Hello</p>"),
            (
                "<p>A <b>bold</b> <i>and</i> <u>under</u><p>next",
                "<p>A <strong>bold</strong> <em>and</em> <u>under</u></p><p>next</p>"
            ),
            ("<h1>A</h1><h3>B</h3><h6>C</h6>", "<h2>A</h2><h3>B</h3><h4>C</h4>"),
            (
                "<ul><li>a<li>b<ol><li>c</ol></ul>",
                "<ul><li><p>a</p></li><li><p>b</p><ol><li><p>c</p></li></ol></li></ul>"
            ),
            ("<ul><li>a</li><ul><li>b</li></ul></ul>", "<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>"),
            ("<blockquote>a<hr>b</blockquote>", "<blockquote><p>a</p><hr><p>b</p></blockquote>"),
            ("a<br>b<br><br>c<br>", "<p>a<br>b</p><p>c</p>"),
            ("  a \n <b> b </b>\t c  ", "<p>a <strong>b</strong> c</p>"),
            ("<pre>a\nb</pre>", "<p>a<br>b</p>"),
            ("x<sup>2</sup>H<sub>2</sub>O", "<p>x<sup>2</sup>H<sub>2</sub>O</p>"),
            (
                "<a href='https://example.org/?a&b' onclick='x'>a</a>",
                #"<p><a href="https://example.org/?a&amp;b" rel="noopener noreferrer">a</a></p>"#
            ),
            (
                "<span style='font-weight: 700 !important; font-style:italic'>a</span>",
                "<p><strong><em>a</em></strong></p>"
            ),
            ("<b style='font-weight:normal'><p>a</p></b>", "<p>a</p>"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "<p>a · b</p><p>c</p>"),
            ("<img src='/media/m1/picture' alt='Whale'>", #"<img src="m1" alt="Whale">"#),
            (
                "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·&nbsp;</span>a</p><p "
                    + "style='mso-list:l0'>b</p>",
                "<ul><li><p>a</p></li><li><p>b</p></li></ul>"
            ),
            ("<li>a", "<p>a</p>"), ("<ul><li><h2>a</h2></ul>", "<ul><li><p>a</p></li></ul>"),
            ("<p>&nbsp;</p><p></p><ul></ul><blockquote> </blockquote>", ""),
        ])
    func keeps(_ pasted: String, html: String) throws {
        #expect(try Self.html(pasted) == html)
    }

    @Test(
        "what a page cannot have is dropped",
        arguments: [
            "<script>alert(1)</script>", "<style>p{}</style>", "<!-- a -->", "<iframe src=//evil.example>a</iframe>",
            "<svg><text>a</text><script>x</script></svg>", "<math><mi>a</mi></math>", "<template>a</template>",
            "<p hidden>a</p>", "<p style='display:none'>a</p>", "<p style='mso-hide:all'>a",
            "<p><noscript>a</noscript>",
            "<img src=x onerror=alert(1)>", "<img src='https://example.org/a.png'>", "<input value=a><select><option>a",
            "<object data=x>a</object>", "<title>a</title>", "<textarea>a</textarea>", "<video>a</video>",
            "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
        ])
    func drops(_ pasted: String) throws {
        #expect(try Self.html(pasted) == "")
    }

    @Test(
        "a link that a page cannot have leaves its text",
        arguments: [
            "javascript:alert(1)", " java\tscript:x", "data:text/html,x", "//evil.example", "#top", "file:///x",
        ])
    func links(_ address: String) throws {
        #expect(try Self.html("<a href='\(address)'>a</a>") == "<p>a</p>")
    }

    @Test("lists nested more deeply than a page can be stay on the last level, and nothing of their text is lost")
    func deepLists() throws {
        let page = try PastedHTML.page(String(repeating: "<ul><li>a", count: 200))
        #expect(page.excess == nil)
        #expect(page.plainText.count(where: { $0 == "a" }) == 200)
    }

    @Test("input that parsers are slow with, or that nests without end, is refused or read, and never stalls")
    func hostile() {
        let half = PastedHTML.mostBytes / 4
        let inputs = [
            String(repeating: "<div>", count: half / 5), String(repeating: "<div>", count: half / 5) + "<frameset>",
            String(repeating: "<div>", count: half / 10) + String(repeating: "</p>", count: half / 8),
            (0..<20_000).map { "<font a=\($0)>" }.joined() + String(repeating: "<p>", count: 20_000),
            "<a " + (0..<120_000).map { "a\($0)" }.joined(separator: " ") + ">",
            String(repeating: "<table><td>", count: half / 11), String(repeating: "<b><a>", count: half / 6),
            String(repeating: "<svg><g>", count: half / 8), String(repeating: "&amp;", count: half / 5),
            String(repeating: "<ul><li>", count: half / 8), String(repeating: "</br>", count: half / 5),
            String(repeating: "<select><option>", count: half / 16), String(repeating: "\u{0}<!--", count: half / 5),
            String(repeating: "a", count: PastedHTML.mostBytes + 1),
        ]
        let clock = ContinuousClock()
        for input in inputs {
            let time = clock.measure {
                let page = try? PastedHTML.page(input)
                if let excess = page?.excess { Issue.record("\(input.prefix(20)): \(excess.english)") }
            }
            #expect(time < .seconds(60), "\(input.prefix(20))")
        }
    }

    @Test("no mixture of markup gives anything but a page that can be stored")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 19)
        let parts = [
            "<p>", "</p>", "<ul>", "<ol>", "<li>", "</li>", "</ul>", "<blockquote>", "</blockquote>", "<b>", "</b>",
            "<i>",
            "</i>", "<a href='https://example.org/'>", "</a>", "<a href='javascript:x'>", "<table>", "<tr>", "<td>",
            "</table>", "<script>", "</script>", "<style>", "</style>", "<!--", "-->", "<br>", "<hr>", "<h2>", "</h2>",
            "<svg>", "</svg>", "<select>", "</select>", "<frameset>", "<template>", "</template>", "text", " ", "\n",
            "&lt;script&gt;", "&#0;", "\u{0}", "<img src='/media/m1'>", "<pre>", "</pre>", "<", ">", "\"", "'", "é漢",
            "<span style='display:none'>", "</span>", "<![CDATA[", "]]>", "<body>", "</body>", "</html>", "<noscript>",
        ]
        var wrong: [String] = []
        for _ in 0..<3000 {
            let html = (0..<Int.random(in: 1...40, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let page = try PastedHTML.page(html)
            let shown = page.html { _ in nil }
            if page.excess != nil || shown.contains("<script") || shown.contains("javascript:") { wrong.append(html) }
        }
        #expect(wrong.isEmpty)
    }
}
