import Beacon
import ContentServer
import Curation
import Media
import TestSupport
import Testing

@Suite("Forms of documents")
struct EditingFormTests {
    private let german = Language("de") ?? .english

    @Test("a beacon's form takes the whole identity from its first field")
    func identity() {
        var body = BeaconDocument()
        let values = FormValues([
            "name": "Whale", "uuid": " 636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/7 ", "major": "", "minor": "",
        ])
        #expect(BeaconForm(language: .english).read(values, into: &body).isEmpty)
        #expect(body.major == 1 && body.minor == 7 && body.id != nil)
    }

    @Test("what a form shows is what it reads", arguments: [Language.english, Language("de") ?? .english])
    func roundTrip(_ language: Language) {
        var image = ImageDocument()
        image.title = LocalizedText(["en": "Whale", "de": "Wal"].languages)
        var picture = PictureUse(DocumentID.random())
        picture.alt = LocalizedText("A whale", in: .english)
        image.picture = picture
        image.widthCm = 12.5
        image.tags = ["sea", "large"]
        image.validFrom = Moment("2026-05-01T08:00:00Z")
        let form = ImageForm(language: language)
        var read = image
        #expect(form.read(form.values(of: image), into: &read).isEmpty)
        #expect(read == image)
    }

    @Test("a place beside the equator is shown with decimals, and can be read again")
    func equator() {
        var item = ContentItem(id: .random(), side: .left, kind: .map)
        item.coordinates = Coordinates(latitude: 0.00001, longitude: -16)
        let form = ContentForm(language: .english)
        let values = form.values(of: item)
        #expect(values["coordinates"] == "0.00001, -16")
        var read = item
        #expect(form.read(values, into: &read).isEmpty)
        #expect(read.coordinates == item.coordinates)
    }

    @Test("half a place is refused beside the field that is empty")
    func halfPlace() {
        func wrong(_ x: String, _ y: String, _ former: PlanPoint? = nil) -> [String] {
            var beacon = BeaconDocument()
            beacon.place = former
            let values = FormValues(["place.x": x, "place.y": y])
            return BeaconForm(language: .english).read(values, into: &beacon).map(\.field)
        }
        #expect(wrong("50", "") == ["place.y"])
        #expect(wrong(" ", "50", PlanPoint(x: 0.5, y: 0.5)) == ["place.x"])
        #expect(wrong("", "far") == ["place.y"])
        #expect(wrong("", "", PlanPoint(x: 0.5, y: 0.5)) == [])
    }

    @Test("a text in one language leaves those in others as they are")
    func languages() {
        var image = ImageDocument()
        image.title = LocalizedText(["en": "Whale", "de": "Wal"].languages)
        _ = ImageForm(language: german).read(FormValues(["title": "Blauwal"]), into: &image)
        #expect(image.title[.english] == "Whale")
        #expect(image.title[german] == "Blauwal")
    }

    @Test("a gallery keeps the texts of its pictures in other languages when their order changes")
    func order() {
        var (one, two) = (PictureUse(DocumentID.random()), PictureUse(DocumentID.random()))
        one.alt = LocalizedText("Eins", in: german)
        two.alt = LocalizedText("Zwei", in: german)
        var item = ContentItem(id: .random(), side: .left, kind: .gallery)
        item.pictures = [one, two]
        let form = ContentForm(language: .english)
        let moved = PictureRows.Change("down 0")?.applied(to: form.values(of: item)) ?? FormValues()
        var values = moved
        values["pictures"] = ""
        #expect(form.read(values, into: &item).isEmpty)
        #expect(item.pictures.map(\.media) == [two.media, one.media])
        #expect(item.pictures.map { $0.alt[german] } == ["Zwei", "Eins"])
    }

    @Test(
        "a value that cannot be read is refused beside its field, and the old one stays",
        arguments: [
            ("coordinates", "north of here", Problem.Code.notCoordinates),
            ("coordinates", "91, 0", .latitudeOutOfRange),
            ("kind", "song", .notAChoice), ("action.kind", "dance", .notAChoice),
        ])
    func refused(_ field: String, _ text: String, _ code: Problem.Code) {
        var item = ContentItem(id: .random(), side: .left, kind: .map)
        item.coordinates = Coordinates(latitude: 1, longitude: 2)
        let before = item
        let mistakes = ContentForm(language: .english).read(FormValues([field: text]), into: &item)
        #expect(mistakes.map(\.field) == ["contents.left.\(field)"])
        #expect(mistakes.map(\.problem.code) == [code])
        #expect(item.coordinates == before.coordinates && item.kind == before.kind)
    }

    @Test("two editors' changes of different fields are merged, and of the same field both are shown")
    func merge() {
        let base = FormValues(["title": "Whale", "width_cm": "10", "category": "sea"])
        let mine = FormValues(["title": "Blue whale", "width_cm": "10", "category": "ocean"])
        let current = FormValues(["title": "Whale", "width_cm": "12", "category": "water"])
        let merge = FormMerge(mine: mine, base: base, current: current)
        #expect(merge.values.texts == ["title": "Blue whale", "width_cm": "12", "category": "ocean"])
        #expect(merge.others == ["category": "water"])
        #expect(!merge.isClean)
    }

    @Test("rows of pictures are merged as a whole, and not where both editors changed them")
    func mergeRows() {
        func rows(_ names: [String], label: String = "") -> FormValues {
            var values = FormValues(["pictures": "", "label": label])
            for (index, name) in names.enumerated() {
                values["pictures.\(index).media"] = name
                values["pictures.\(index).decorative"] = ""
            }
            return values
        }
        let base = rows(["a", "b"])
        let theirs = FormMerge(mine: rows(["a", "b"], label: "Mine"), base: base, current: rows(["b", "a", "c"]))
        #expect(theirs.isClean && theirs.values == rows(["b", "a", "c"], label: "Mine"))
        let mine = FormMerge(mine: rows(["b"]), base: base, current: base)
        #expect(mine.isClean && mine.values == rows(["b"]))
        let both = FormMerge(mine: rows(["b"]), base: base, current: rows(["b", "a"]))
        #expect(both.others.keys.sorted() == ["pictures"] && both.values == rows(["b"]))
    }

    @Test(
        "a part of a picture is refused beside the field that leads out of it",
        arguments: [
            (["0", "0", "40", "30"], []), (["39", "29", "1", "1"], []), (["10", "0", "31", "30"], ["width"]),
            (["-1", "30", "1", "1"], ["left", "top"]), (["", "1.5", "x", "0"], ["height", "left", "top", "width"]),
        ])
    func crop(_ texts: [String], _ fields: [String]) {
        let names = ["left", "top", "width", "height"]
        let values = FormValues(Dictionary(uniqueKeysWithValues: zip(names, texts)))
        let (area, mistakes) = CropForm(width: 40, height: 30).read(values)
        #expect(mistakes.map(\.field).sorted() == fields)
        guard fields.isEmpty else { return }
        #expect([area.left, area.top, area.width, area.height].map { "\($0)" } == texts)
    }

    @Test("another picture takes the place of one everywhere in an image, with the texts that are there")
    func replacing() {
        let (old, new, other) = (DocumentID.random(), DocumentID.random(), DocumentID.random())
        var use = PictureUse(old)
        use.alt = LocalizedText("A whale", in: .english)
        var image = ImageDocument()
        image.picture = use
        var gallery = ContentItem(id: .random(), side: .left, kind: .gallery)
        gallery.pictures = [PictureUse(other), use]
        image[.left] = gallery
        var page = FullPage()
        page.body[.english] = PageText([.blockquote([.picture(use)])])
        image.page = page
        let replaced = Document.image(image.replacing(old, by: new)).pictures.map(\.use)
        #expect(replaced.map(\.media) == [new, other, new, new])
        #expect(replaced[0].alt == use.alt && replaced[3].alt == use.alt)
    }

    @Test("plain text becomes headings, lists, quotations and paragraphs, and back")
    func plainPage() {
        let plain = "## Whale\n\nLarge.\nVery large.\n\n- krill\n- plankton\n\n1. first\n2. second\n\n> Call me\n\n---"
        let page = PlainPageText.read(plain, over: nil)
        #expect(page.blocks.count == 6)
        #expect(PlainPageText.write(page) == plain)
    }

    @Test("plain text may be sent with the line breaks of any system", arguments: ["%0A", "%0D%0A", "%0D"])
    func lineBreaks(_ lineBreak: String) throws {
        let sent = ["Whale", "", "Large.", "Very%20large."].joined(separator: lineBreak)
        let plain = try #require(try URLEncodedForm.fields(of: Array("body=\(sent)".utf8)).first?.value)
        #expect(PlainPageText.write(PlainPageText.read(plain, over: nil)) == "Whale\n\nLarge.\nVery large.")
    }

    @Test("what XML cannot represent is left out of plain text, as of what the editor sends")
    func controls() {
        let plain = "Wh\u{7}a\u{FFFF}le\tlarge\n\n\u{0}"
        #expect(PlainPageText.write(PlainPageText.read(plain, over: nil)) == "Whale\tlarge")
    }

    @Test("a page whose plain text is unchanged is unchanged, also with empty lines in lists and quotations")
    func emptyLines() {
        let item = PageText.Block.paragraph([.text("krill", marks: [.bold]), .lineBreak])
        let known = PageText([.bulletList([[item], [item]]), .blockquote([.paragraph([])])])
        #expect(PlainPageText.read(PlainPageText.write(known), over: known) == known)
    }

    @Test("a page that was written in the editor keeps its marks where the plain text stays the same")
    func marks() {
        let bold = PageText.Block.paragraph([.text("Large", marks: [.bold])])
        let use = PictureUse(DocumentID.random())
        let known = PageText([bold, .picture(use), .paragraph([.text("Old", marks: [])])])
        let plain = PlainPageText.write(known).replacing("Old", with: "New")
        let read = PlainPageText.read(plain, over: known)
        #expect(read.blocks == [bold, .picture(use), .paragraph([.text("New", marks: [])])])
    }

    /// To compare each paragraph with each would take longer than the limit, which leaves time for other tests.
    @Test("a long page is read in a time that grows with its length only", .timeLimit(.minutes(20)))
    func longPage() {
        let known = PageText((0..<160_000).map { PageText.Block.paragraph([.text("old \($0)", marks: [])]) })
        let plain = String(repeating: "new\n\n", count: 400_000)
        #expect(PlainPageText.read(plain, over: known).blocks.count == 400_000)
    }

    @Test(
        "a file's words are a title, a camera's name is not",
        arguments: [
            ("blue_whale-2024 (1).JPG", "Blue whale"), ("IMG_20240501_1200.jpg", ""), ("DSC01234.JPG", ""),
            ("الحوت الأزرق.png", "الحوت الأزرق"), ("skeleton", "Skeleton"), ("", ""), ("...", ""),
        ])
    func titles(_ file: String, _ title: String) {
        #expect(FileTitle.suggested(by: file) == title)
    }

    @Test("forms read any text without crashing, and what they read is written and read again the same")
    func fuzz() {
        var generator = SeededGenerator(seed: 77)
        let pieces = [
            "", " ", "0", "-1", "99999", "1e9", "48.2, 16.3", "\u{202E}", "é", "up 1", "left", "image", "##",
            "- a\n- b", "𝟘",
        ]
        let form = ContentForm(language: .english)
        let names =
            Array(form.values(of: ContentItem(id: .random(), side: .top, kind: .image)).texts.keys.sorted())
            + [
                "pictures", "pictures.0.media", "pictures.-1.media", "pictures.99999999999999999999.alt",
                "pictures.3.alt",
            ]
        var wrong = 0
        for _ in 0..<3000 {
            var texts: [String: String] = [:]
            for name in names where Bool.random(using: &generator) {
                texts[name] =
                    (pieces.randomElement(using: &generator) ?? "") + (pieces.randomElement(using: &generator) ?? "")
            }
            var item = ContentItem(id: .random(using: &generator), side: .top, kind: .image)
            _ = form.read(FormValues(texts), into: &item)
            var values = form.values(of: item)
            values["pictures"] = ""
            var again = item
            if !form.read(values, into: &again).isEmpty || again != item { wrong += 1 }
            let page = PlainPageText.read(texts.values.sorted().joined(separator: "\n"), over: nil)
            if PlainPageText.read(PlainPageText.write(page), over: page) != page { wrong += 1 }
        }
        #expect(wrong == 0)
    }
}

extension [String: String] {
    fileprivate var languages: [Language: String] {
        [Language: String](uniqueKeysWithValues: compactMap { tag, text in Language(tag).map { ($0, text) } })
    }
}
