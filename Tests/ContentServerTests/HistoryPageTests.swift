import ContentServer
import Curation
import CurationStore
import TestSupport
import Testing

@Suite("The page History", .timeLimit(.minutes(10)))
struct HistoryPageTests {
    @Test("says how many fields of a change it does not list")
    func manyFields() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .viewer)
        let made = try await server.store.save(
            .image(ImageDocument()), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        var image = try #require(made.document.image)
        for letter in "abcdefghijklmnopq" {
            let language = try #require(Language("x\(letter)"))
            image.title[language] = "A title"
            image.transcript[language] = "A transcript"
        }
        _ = try await server.store.save(
            .image(image), as: made.id, over: made.version, by: Author("ana"), at: server.clock.now)
        let cookie = try await server.signIn("ana").cookie
        let page = try await server.ask("/history", ["Cookie: \(cookie)"]).text
        // 30 of the 34.
        #expect(page.contains("<li class=\"muted\">4 more are not shown</li>"))
    }
}
