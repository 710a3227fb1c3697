import Beacon
import Curation
import Testing

@Suite("Differences between versions of a document")
struct DocumentDifferenceTests {
    static func id(_ text: String) throws -> DocumentID { try #require(DocumentID(text)) }

    static func words(_ before: Document?, _ after: Document?) -> [String] {
        DocumentDifference.between(before, after).map { $0.english { "the \($0)" } }
    }

    static func gallery(_ pictures: [String], side: ContentItem.Side = .left) throws -> Document {
        var image = ImageDocument()
        var content = ContentItem(id: try id("g"), side: side, kind: .gallery)
        content.pictures = try pictures.map { PictureUse(try id($0)) }
        image.contents = [content]
        return .image(image)
    }

    @Test("equal documents do not differ")
    func equal() throws {
        #expect(Self.words(.site(SiteDocument()), .site(SiteDocument())).isEmpty)
        #expect(Self.words(try Self.gallery(["a", "b"]), try Self.gallery(["a", "b"])).isEmpty)
        #expect(Self.words(nil, nil).isEmpty)
    }

    @Test("a changed value is told with its name, its language, and what it was")
    func values() throws {
        var before = BeaconDocument()
        before.name = LocalizedText("Wal", in: try #require(Language("de")))
        before.minor = 1
        var after = before
        after.name = LocalizedText("Der Wal", in: try #require(Language("de")))
        after.minor = nil
        after.coordinates = Coordinates(latitude: 48.2, longitude: 16)
        after.plan = try Self.id("p1")
        #expect(
            Self.words(.beacon(before), .beacon(after)) == [
                "name (de): “Wal” → “Der Wal”", "plan: “the p1”", "coordinates: “48.2,16”", "minor removed: “1”",
            ])
    }

    @Test("a width is told as it is typed")
    func numbers() {
        var before = ImageDocument()
        before.widthCm = 19
        var after = before
        after.widthCm = 21.5
        #expect(Self.words(.image(before), .image(after)) == ["width in cm: “19” → “21.5”"])
        var plan = PlanDocument()
        plan.widthM = 30
        #expect(Self.words(.plan(PlanDocument()), .plan(plan)) == ["width: “30”"])
    }

    @Test("a content that is added or removed is one change")
    func contents() throws {
        let empty = Document.image(ImageDocument())
        let full = try Self.gallery(["a", "b"])
        #expect(Self.words(empty, full) == ["left: content: gallery"])
        #expect(Self.words(full, empty) == ["left: content removed: gallery"])
    }

    @Test("a content that moves to another side is one change")
    func moved() throws {
        let changes = DocumentDifference.between(try Self.gallery(["a"]), try Self.gallery(["a"], side: .top))
        #expect(changes.map(\.what) == [.moved])
        #expect(changes.map { $0.english { _ in nil } } == ["top: side: left → top"])
    }

    @Test("pictures of a gallery are added, removed and put in another order")
    func gallery() throws {
        let before = try Self.gallery(["a", "b", "c"])
        #expect(Self.words(before, try Self.gallery(["a", "b", "c", "d"])) == ["left: pictures: “the d”"])
        #expect(Self.words(before, try Self.gallery(["a", "c"])) == ["left: pictures removed: “the b”"])
        #expect(
            Self.words(before, try Self.gallery(["c", "a", "b"])) == ["left: order of the pictures: “the a” → “the c”"])
    }

    @Test("a page whose words are the same and whose format differs has changed")
    func format() {
        func page(_ marks: Set<PageText.Mark>) -> Document {
            var image = ImageDocument()
            image.page = FullPage()
            image.page?.body[.english] = PageText([.paragraph([.text("Whale", marks: marks)])])
            return .image(image)
        }
        #expect(Self.words(page([]), page([.bold])) == ["page text (en): format changed"])
    }

    @Test("of long texts the part around the first difference is told")
    func excerpts() throws {
        let start = String(repeating: "a", count: 1000)
        let (before, after) = FieldValue.excerpts(.text(start + "b"), .text(start + "c"))
        #expect(before == .text("…" + String(repeating: "a", count: 30) + "b"))
        #expect(after == .text("…" + String(repeating: "a", count: 30) + "c"))
        #expect(FieldValue.excerpts(.text("a"), nil) == (.text("a"), nil))
    }

    @Test("a new document is told with all of its values, and a deleted one too")
    func whole() {
        var plan = PlanDocument()
        plan.floor = "2"
        #expect(Self.words(nil, .plan(plan)) == ["floor: “2”"])
        #expect(Self.words(.plan(plan), nil) == ["floor removed: “2”"])
    }
}
