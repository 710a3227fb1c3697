import Curation
import Testing

@Suite("Tidying of documents")
struct TidyingTests {
    @Test("invisible characters leave numbers and addresses, and blanks leave the ends of texts")
    func tidied() throws {
        var image = ImageDocument()
        image.title = LocalizedText("  The\twhale\u{0} \n", in: .english)
        image.tags = [" sea ", "", "SEA", "bones"]
        image.transcript = LocalizedText("one\r\ntwo\rthree\n", in: .english)
        image[.left] = ContentItem(id: try #require(DocumentID("c1")), side: .left, kind: .map)
        image[.left]?.action = ActionItem(kind: .call, value: "\u{202A}+43 1 234\u{202C}")
        image[.left]?.action?.parameters = ["subject": "left over"]
        image[.top] = ContentItem(id: try #require(DocumentID("c2")), side: .top, kind: .video)
        image[.top]?.videoURL = " www.example.org/v\u{FEFF} "
        let tidied = try #require(Document.image(image).tidied.image)
        #expect(tidied.title[.english] == "The whale")
        #expect(tidied.tags == ["sea", "bones"])
        #expect(tidied.transcript[.english] == "one\ntwo\nthree")
        #expect(tidied[.left]?.action?.value == "+431234")
        #expect(tidied[.left]?.action?.parameters.isEmpty == true)
        #expect(tidied[.top]?.videoURL == "https://www.example.org/v")
        // Once more changes nothing.
        #expect(Document.image(tidied).tidied == .image(tidied))
    }

    @Test("joiners and marks of direction stay in texts, because scripts and emoji need them")
    func joiners() {
        var beacon = BeaconDocument()
        beacon.name = LocalizedText("نمی\u{200C}خواهم 👩\u{200D}🔬", in: .english)
        #expect(Document.beacon(beacon).tidied == .beacon(beacon))
    }

    @Test("what cannot be read stays as it was typed")
    func kept() throws {
        var image = ImageDocument()
        image[.left] = ContentItem(id: try #require(DocumentID("c1")), side: .left, kind: .map)
        image[.left]?.action = ActionItem(kind: .call, value: " call me ")
        #expect(Document.image(image).tidied.image?[.left]?.action?.value == "call me")
    }

    @Test("a page of which nothing is left is no page, and an empty text is no text")
    func empty() {
        var image = ImageDocument()
        image.title = LocalizedText(" ", in: .english)
        image.page = FullPage()
        image.page?.body[.english] = PageText()
        #expect(Document.image(image).tidied == .image(ImageDocument()))
    }
}
