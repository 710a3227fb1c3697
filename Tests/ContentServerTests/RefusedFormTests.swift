import ContentServer
import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing

@Suite("Forms that are refused", .timeLimit(.minutes(10)))
struct RefusedFormTests {
    private static let long = String(repeating: "a", count: 100_000)

    enum Form: CaseIterable {
        case beacon, image, content, contentRows, page, media, plan

        var document: Document {
            switch self {
            case .beacon: .beacon(BeaconDocument())
            case .media: .media(MediaDocument(hash: AssetHash(of: [1]), bytes: 1, mediaType: "image/png"))
            case .plan: .plan(PlanDocument())
            default: .image(ImageDocument())
            }
        }

        /// Another editor's change.
        func changed(_ document: Document) -> Document {
            switch document {
            case .beacon(var body):
                body.note = "by ben"
                return .beacon(body)
            case .media(var body):
                body.tags = ["ben"]
                return .media(body)
            case .plan(var body):
                body.floor = "2"
                return .plan(body)
            case .image(var body):
                body.tags = ["ben"]
                return .image(body)
            case .site: return document
            }
        }

        func path(_ id: DocumentID) -> String {
            switch self {
            case .beacon: "/beacons/\(id)"
            case .image: "/images/\(id)"
            case .content, .contentRows: "/images/\(id)/contents/left"
            case .page: "/images/\(id)/page"
            case .media: "/media/\(id)"
            case .plan: "/plans/\(id)"
            }
        }

        var mistake: [(String, String)] {
            switch self {
            case .beacon: [("uuid", "no UUID")]
            case .image: [("width_cm", "wide")]
            case .content: [("kind", "map"), ("coordinates", "north of here")]
            // A button of the form, which shows it again.
            case .contentRows: [("kind", "gallery"), ("do", "remove 0")]
            case .page: [("title", RefusedFormTests.long)]
            case .media: [("name", RefusedFormTests.long)]
            case .plan: [("width_m", "wide")]
            }
        }
    }

    @Test(
        "keep the version that they were made from, so that they still meet what others saved",
        arguments: Form.allCases)
    func version(form: Form) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let seen = try await server.store.save(
            form.document, as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let other = try await server.store.save(
            form.changed(seen.document), as: seen.id, over: seen.version, by: Author("ben"), at: server.clock.now)
        #expect(other.version > seen.version)
        let response = try await server.post(
            form.path(seen.id), [("csrf", csrf), ("version", "\(seen.version)")] + form.mistake, cookie: cookie)
        #expect(response.status == (form == .contentRows ? 200 : 422))
        #expect(response.text.contains("name=\"version\" value=\"\(seen.version)\""))
        #expect(!response.text.contains("name=\"version\" value=\"\(other.version)\""))
    }

    private static func json(_ words: String) -> String {
        #"{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"\#(words)"}]}]}"#
    }

    @Test("the page's text comes as the editor's JSON, and goes when that is empty")
    func pageText() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let image = try await server.store.save(
            .image(ImageDocument()), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        func send(_ json: String, version: Int64, title: String = "Whale") async throws -> RawResponse {
            try await server.post(
                "/images/\(image.id)/page",
                [("csrf", csrf), ("version", "\(version)"), ("title", title), ("body_json", json)], cookie: cookie)
        }
        func page() async throws -> FullPage? { try await server.store.document(image.id).document.image?.page }
        #expect(try await send(Self.json("Krill"), version: 1).status == 303)
        #expect(try await page()?.body[.english]?.blocks == [.paragraph([.text("Krill", marks: [])])])
        // What was typed comes back, and its place in the form with it.
        let refused = try await send(Self.json("Plankton"), version: 2, title: Self.long)
        #expect(refused.status == 422)
        #expect(refused.text.contains("<textarea") && refused.text.contains("Plankton"))
        #expect(refused.text.contains("name=\"body_json\""))
        #expect(try await send("", version: 2).status == 303)
        #expect(try await page()?.body[.english] == nil)
        #expect(try await page()?.title[.english] == "Whale")
    }

    @Test("the page's plain text comes back for the editor, too, which comes after the page")
    func plainPageText() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let image = try await server.store.save(
            .image(ImageDocument()), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let refused = try await server.post(
            "/images/\(image.id)/page",
            [("csrf", csrf), ("version", "1"), ("title", Self.long), ("body", "## Krill\n\nIt swims.")], cookie: cookie)
        #expect(refused.status == 422)
        let page = refused.text.replacing("&quot;", with: "\"")
        #expect(page.contains("## Krill"))
        #expect(page.contains(#""text":"Krill""#) && page.contains(#""text":"It swims.""#))
    }

    @Test("plain text that was typed before the editor was there keeps what is the same as before")
    func typedBefore() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        func read(_ plain: String, over known: String) async throws -> PageText {
            let answer = try await server.post(
                "/paste", [("csrf", csrf), ("language", "en"), ("plain", plain), ("known", known)], cookie: cookie)
            #expect(answer.status == 200)
            return try decodeDocument(PageText.self, json: Array(answer.text.utf8), source: "the answer")
        }
        let words = #"{"type":"text","text":"Krill","marks":[{"type":"bold"}]}"#
        let known = #"{"type":"doc","content":[{"type":"paragraph","content":[\#(words)]}]}"#
        let heading = PageText.Block.heading(level: 2, [.text("Whales", marks: [])])
        #expect(
            try await read("Krill\n\n## Whales", over: known).blocks
                == [.paragraph([.text("Krill", marks: [.bold])]), heading])
        #expect(try await read("## Whales", over: "").blocks == [heading])
        #expect(try await read("", over: known).isEmpty)
    }
}
