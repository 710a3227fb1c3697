import Curation
import SiteFormat
import TestSupport
import Testing
import Text

@Suite("Text of full pages")
struct PageTextTests {
    /// A page's JSON, read as a part of an image's document.
    static func page(_ content: String) throws -> PageText {
        let json = #"{"page":{"body":{"en":{"type":"doc","content":[\#(content)]}}}}"#
        let document = try Document(.image, json: Array(json.utf8), source: "image")
        return try #require(document.image?.page?.body[.english])
    }

    static func html(_ page: PageText) -> String {
        page.html { use in
            PagePicture(source: "data:\(use.media)", alt: use.alt.any([.english]) ?? "", width: 4, height: 3)
        }
    }

    @Test(
        "a part of the editor's document becomes the element for it",
        arguments: [
            (#"{"type":"paragraph","content":[{"type":"text","text":"A & <b>"}]}"#, "<p>A &amp; &lt;b&gt;</p>"),
            (#"{"type":"heading","attrs":{"level":1},"content":[{"type":"text","text":"A"}]}"#, "<h2>A</h2>"),
            (#"{"type":"heading","attrs":{"level":9},"content":[{"type":"text","text":"A"}]}"#, "<h4>A</h4>"),
            (
                #"{"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph"}]}]}"#,
                "<ul><li><p></p></li></ul>"
            ),
            (
                #"{"type":"ordered_list","content":[{"type":"list_item","content":[{"type":"paragraph"}]}]}"#,
                "<ol><li><p></p></li></ol>"
            ),
            (
                #"{"type":"blockquote","content":[{"type":"heading","attrs":{"level":3}}]},{"type":"horizontalRule"}"#,
                "<blockquote><h3></h3></blockquote><hr>"
            ),
            (
                #"{"type":"paragraph","content":[{"type":"text","text":"A","marks":[{"type":"bold"},{"type":"link","attrs":{"href":"https://example.org/?a=1&b='","target":"_blank"}}]},{"type":"hardBreak"}]}"#,
                #"<p><a href="https://example.org/?a=1&amp;b=&#39;" rel="noopener noreferrer"><strong>A</strong></a><br></p>"#
            ),
            (
                #"{"type":"paragraph","content":[{"type":"text","text":"A","marks":[{"type":"link","attrs":{"href":"http://example.org/"}}]}]}"#,
                "<p>A</p>"
            ),
            (
                #"{"type":"image","attrs":{"media":"m1","alt":{"en":"A \"whale\""}}}"#,
                #"<img src="data:m1" alt="A &quot;whale&quot;" width="4" height="3">"#
            ),
            (
                #"{"type":"image","attrs":{"media":"m1","alt":{"en":"A \uFFFFwhale"}}}"#,
                #"<img src="data:m1" alt="A whale" width="4" height="3">"#
            ),
            (
                #"{"type":"image","attrs":{"src":"/media/m1?size=2","alt":"Whale"}}"#,
                #"<img src="data:m1" alt="Whale" width="4" height="3">"#
            ),
        ])
    func renders(_ json: String, html: String) throws {
        #expect(Self.html(try Self.page(json)) == html)
    }

    @Test(
        "what is not on the list is refused, with its place",
        arguments: [
            (#"{"type":"script"}"#, "content[0].type"),
            (
                #"{"type":"paragraph","content":[{"type":"text","text":"A","marks":[{"type":"html"}]}]}"#,
                "marks[0].type"
            ),
            (
                #"{"type":"paragraph","content":[{"type":"text","text":"A","marks":[{"type":"link","attrs":{"href":"javascript:x"}}]}]}"#,
                "attrs.href"
            ),
            (#"{"type":"image","attrs":{"src":"https://example.org/a.png"}}"#, "attrs.src"),
            (#"{"type":"picture","attrs":{"media":"../a"}}"#, "attrs.media"),
            (#"{"type":"bulletList","content":[{"type":"paragraph"}]}"#, "content[0].content[0].type"),
            (#"{"type":"paragraph","content":[{"type":"paragraph"}]}"#, "content[0].content[0].type"),
            (#""text""#, "content[0]"),
        ])
    func refuses(_ json: String, place: String) {
        let error = #expect(throws: ContentError.self) { try Self.page(json) }
        #expect(error?.place.contains(place) == true, "\(error?.description ?? "")")
    }

    @Test("lists and quotes are nested at most ten deep")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"type":"blockquote","content":["#, count: levels) + #"{"type":"paragraph"}"#
                + String(repeating: "]}", count: levels)
        }
        #expect(try Self.page(nested(10)).excess == nil)
        #expect(throws: ContentError.self) { try Self.page(nested(11)) }
        #expect(throws: ContentError.self) { try Self.page(nested(100_000)) }
    }

    @Test("a page has at most a hundred thousand characters")
    func size() throws {
        let words = String(repeating: "w", count: PageText.mostCharacters * 4)
        let page = try Self.page(#"{"type":"paragraph","content":[{"type":"text","text":"\#(words)"}]}"#)
        #expect(page.excess == nil)
        #expect(throws: ContentError.self) {
            try Self.page(#"{"type":"paragraph","content":[{"type":"text","text":"\#(words)w"}]}"#)
        }
        let parts = Array(repeating: #"{"type":"horizontalRule"}"#, count: PageText.mostParts + 1)
        #expect(throws: ContentError.self) { try Self.page(parts.joined(separator: ",")) }
    }

    @Test("the empty paragraph that an editor keeps is no text")
    func empty() throws {
        #expect(try Self.page(#"{"type":"paragraph"}"#).isEmpty)
        let json = try encodeDocument(PageText())
        #expect(String(decoding: json, as: UTF8.self) == #"{"content":[{"type":"paragraph"}],"type":"doc"}"#)
    }

    @Test("the alternative text of an editor's picture is in the language of its page")
    func languageOfAlt() throws {
        var image = ImageDocument()
        image.page = FullPage()
        image.page?.body[.english] = try Self.page(#"{"type":"image","attrs":{"src":"/media/m1","alt":" Whale "}}"#)
        let use = try #require(Document.image(image).tidied.pictures.first?.use)
        #expect(use.alt == LocalizedText("Whale", in: .english))
    }

    @Test("the editor gets a picture's alternative text in the language of its page")
    func editor() throws {
        var use = PictureUse(try #require(DocumentID("m1")))
        use.alt = LocalizedText("Whale", in: .english)
        let json = try encodeDocument(EditorPage(PageText([.picture(use)]), in: .english))
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"content":[{"attrs":{"alt":"Whale","decorative":false,"media":"m1"},"type":"picture"}],"type":"doc"}"#
        )
    }

    @Test("every page is written and read as the same page, and its HTML has only what the list allows")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 17)
        var failed: [String] = []
        for _ in 0..<400 {
            let page = RandomPage.page(using: &generator)
            let read = try decodeDocument(PageText.self, json: encodeDocument(page), source: "page")
            if read != page || RandomPage.hasForeignMarkup(Self.html(page)) { failed.append(page.plainText) }
        }
        #expect(failed.isEmpty)
    }

    @Test("no change of a page's JSON makes reading fail with anything but an explained error")
    func damaged() throws {
        var generator = SeededGenerator(seed: 18)
        var read = 0
        for _ in 0..<1500 {
            var json = try encodeDocument(RandomPage.page(using: &generator))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: json.indices, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: json[place] = Array("{}[]\":,0at".utf8).randomElement(using: &generator) ?? 0
                case 1: json.remove(at: place)
                default: json.insert(contentsOf: json[place...].prefix(30), at: place)
                }
            }
            guard let page = try? decodeDocument(PageText.self, json: json, source: "page") else { continue }
            read += 1
            if RandomPage.hasForeignMarkup(Self.html(page)) { Issue.record("foreign markup in \(page)") }
        }
        #expect(read > 10)
    }
}
