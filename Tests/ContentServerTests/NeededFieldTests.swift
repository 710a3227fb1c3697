import ContentServer
import Curation
import CurationStore
import TestSupport
import Testing

/// The marks of fields without which nothing is published.
@Suite("Fields that publishing needs", .timeLimit(.minutes(10)))
struct NeededFieldTests {
    /// The marked fields of a page, by the ids of their controls.
    private static func marked(_ page: String) -> Set<String> {
        let marks = page.matches(of: /<label for="([a-z_-]+)">[^<]* <span class="optional needed">needed to publish</)
        return Set(marks.map { String($0.1) })
    }

    @Test(
        "are marked on the forms of beacons and images, and no others",
        arguments: [Document.beacon(BeaconDocument()), .image(ImageDocument())])
    func documents(document: Document) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let stored = try await server.store.save(document, as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let missing = DocumentCheck(site: SiteDocument()).missing(in: document)
        let fields = missing.map { "f-" + ($0.field == "picture" ? "picture_media" : $0.field) }
        let page = try await server.ask("/\(document.kind.rawValue)s/\(stored.id)", ["Cookie: \(cookie)"]).text
        #expect(!fields.isEmpty && Self.marked(page) == Set(fields))
    }

    @Test("are marked in another language only as long as the first one lacks them")
    func languages() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        var site = SiteDocument()
        site.languages = [.english, try #require(Language("de"))]
        _ = try await server.store.save(.site(site), as: .site, over: 0, by: Author("ana"), at: server.clock.now)
        var body = ImageDocument()
        body.title = LocalizedText("Whale", in: .english)
        let image = try await server.store.save(
            .image(body), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        func marked(_ query: String) async throws -> Set<String> {
            try await Self.marked(server.ask("/images/\(image.id)\(query)", ["Cookie: \(cookie)"]).text)
        }
        #expect(try await marked("") == ["f-title", "f-picture_media", "f-width_cm"])
        #expect(try await marked("?language=de") == ["f-picture_media", "f-width_cm"])
    }

    @Test("are marked on the form of a content, each for the kinds that need it")
    func contents() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let image = try await server.store.save(
            .image(ImageDocument()), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let page = try await server.ask("/images/\(image.id)/contents/left", ["Cookie: \(cookie)"]).text
        #expect(Self.marked(page) == ["more-files", "f-video_url", "f-coordinates", "f-action_value"])
    }
}
