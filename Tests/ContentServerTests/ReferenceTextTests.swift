import ContentServer
import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing

/// What translators see beside the fields of a form.
@Suite("A form in another language", .timeLimit(.minutes(10)))
struct ReferenceTextTests {
    @Test("shows the texts of the first language, and neither numbers nor what is chosen")
    func references() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        func save(_ document: Document) async throws -> DocumentID {
            try await server.store.save(document, as: nil, over: nil, by: Author("ana"), at: server.clock.now).id
        }
        var site = SiteDocument()
        site.languages = [.english, try #require(Language("de"))]
        _ = try await server.store.save(.site(site), as: .site, over: 0, by: Author("ana"), at: server.clock.now)
        func media(_ name: String, _ type: String) async throws -> DocumentID {
            var body = MediaDocument(hash: AssetHash(of: Array(name.utf8)), bytes: 5, mediaType: type)
            body.name = name
            return try await save(.media(body))
        }
        var body = ImageDocument()
        body.title = LocalizedText("Whale", in: .english)
        body.widthCm = 120
        body.picture = PictureUse(try await media("whale", "image/png"))
        body.picture?.alt = LocalizedText("A whale under water", in: .english)
        body.audio[.english] = try await media("song", "audio/mpeg")
        let image = try await save(.image(body))
        let page = try await server.ask("/images/\(image)?language=de", ["Cookie: \(cookie)"]).text
        let shown = page.matches(of: /class="hint reference"[^>]*><bdi>([^<]*)</).map { String($0.1) }
        #expect(shown.sorted() == ["A whale under water", "Whale"])
        let english = try await server.ask("/images/\(image)", ["Cookie: \(cookie)"]).text
        #expect(!english.contains("hint reference"))
    }
}
