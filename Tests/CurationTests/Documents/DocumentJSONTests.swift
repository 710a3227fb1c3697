import Curation
import SiteFormat
import TestSupport
import Testing
import Text

@Suite("JSON of documents")
struct DocumentJSONTests {
    static func full(_ kind: Document.Kind, using generator: inout SeededGenerator) throws -> Document {
        switch kind {
        case .beacon:
            var beacon = BeaconDocument()
            beacon.name = LocalizedText("Whale", in: .english)
            beacon.major = .random(in: 0...9, using: &generator)
            beacon.coordinates = Coordinates(latitude: 48.25, longitude: 16.5)
            beacon.place = PlanPoint(x: 0.5, y: 0.25)
            return .beacon(beacon)
        case .image:
            var image = ImageDocument()
            image.title = LocalizedText("Whale", in: .english)
            image.picture = PictureUse(.random(using: &generator))
            image.widthCm = 40.5
            for (side, kind) in zip(ContentItem.Side.allCases, ContentItem.Kind.allCases) {
                var content = ContentItem(id: .random(using: &generator), side: side, kind: kind)
                content.action = ActionItem(kind: .email, value: "a@example.org")
                content.action?.parameters = ["subject": "Hello"]
                image.contents.append(content)
            }
            image.page = FullPage()
            image.page?.body[.english] = RandomPage.page(using: &generator)
            image.validFrom = Moment("2026-05-01T08:00:00Z")
            return .image(image)
        case .media:
            return .media(MediaDocument(hash: AssetHash(of: [1]), bytes: 1, mediaType: "image/png"))
        case .plan: return .plan(PlanDocument())
        case .site: return .site(SiteDocument())
        }
    }

    @Test("a document is written and read as the same document", arguments: Document.Kind.allCases)
    func roundTrip(_ kind: Document.Kind) throws {
        var generator = SeededGenerator(seed: 20)
        let document = try Self.full(kind, using: &generator)
        #expect(try Document(kind, json: document.json(), source: "document") == document)
    }

    @Test(
        "no damage to a document's JSON gives anything but an explained error or a document that can be checked",
        arguments: Document.Kind.allCases)
    func damaged(_ kind: Document.Kind) throws {
        var generator = SeededGenerator(seed: 21)
        let whole = try Self.full(kind, using: &generator).json()
        var read = 0
        for _ in 0..<1500 {
            var json = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: json.indices, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: json[place] = Array("{}[]\":,-09eat\u{0}".utf8).randomElement(using: &generator) ?? 0
                case 1: json.remove(at: place)
                default: json.insert(contentsOf: json[place...].prefix(20), at: place)
                }
            }
            guard let document = try? Document(kind, json: json, source: "document") else { continue }
            read += 1
            let tidied = document.tidied
            _ = DocumentCheck().mistakes(in: tidied)
            _ = DocumentCheck().missing(in: tidied)
            _ = DocumentDifference.between(document, tidied)
            _ = try tidied.json()
        }
        #expect(read > 0)
    }

    @Test(
        "a document that is not what its kind needs is refused with the place",
        arguments: [
            (Document.Kind.image, #"{"contents":[{"side":"middle","kind":"image"}]}"#, "contents[0].side"),
            (.image, #"{"valid_from":"soon"}"#, "valid_from"), (.beacon, #"{"major":70000}"#, "major"),
            (.beacon, #"{"uuid":"x"}"#, "uuid"), (.media, "{}", "sha256"),
            (.site, #"{"languages":["?"]}"#, "languages[0]"),
            (.plan, "[]", "plan"),
        ])
    func places(_ kind: Document.Kind, json: String, place: String) {
        let error = #expect(throws: ContentError.self) { try Document(kind, json: Array(json.utf8), source: "plan") }
        #expect(error?.place.contains(place) == true)
    }

    @Test(
        "a key that is no language or no rule is refused with what can stand there",
        arguments: [
            (
                Document.Kind.beacon, #"{"name":{"en_US":"a"}}"#,
                #"plan: name.en_US: "en_US" is no language: write a tag such as de or pt-BR"#
            ),
            (
                .site, #"{"gate":{"alt":"warn"}}"#,
                #"plan: gate.alt: "alt" is none of the words that can stand there"#
            ),
        ])
    func keys(_ kind: Document.Kind, json: String, problem: String) {
        let error = #expect(throws: ContentError.self) { try Document(kind, json: Array(json.utf8), source: "plan") }
        #expect(error?.placedProblem == problem)
    }

    @Test("JSON that is nested too deeply is told from what is no JSON", arguments: [true, false])
    func depth(isClosed: Bool) {
        func cause(levels: Int) -> String? {
            let brackets = String(repeating: "[", count: levels) + String(repeating: "]", count: isClosed ? levels : 0)
            let error = #expect(throws: ContentError.self) {
                try Document(.beacon, json: Array(#"{"note":\#(brackets)}"#.utf8), source: "body")
            }
            return error?.cause
        }
        #expect(cause(levels: 512) == "it is nested too deeply")
        #expect(cause(levels: 511) == (isClosed ? "it is not a string" : "it is not valid JSON"))
    }
}
