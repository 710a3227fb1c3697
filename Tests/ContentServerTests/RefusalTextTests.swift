import ContentServer
import Curation
import CurationStore
import Media
import Publishing
import TestSupport
import Testing

@Suite("What is refused", .timeLimit(.minutes(10)))
struct RefusalTextTests {
    @Test("has words of its own in every language, whatever the kind", arguments: Catalogues.tags)
    func kinds(_ language: String) throws {
        let catalogues = try Catalogues(Resources())
        let (texts, english) = (catalogues[language], catalogues["en"])
        var names = Problem.Code.allCases.map { "problem.\($0.rawValue)" }
        names += MediaError.Code.allCases.map { "media.\($0.rawValue)" }
        names += StoreError.Code.known.map { "store.\($0.rawValue)" }
        names += PublishingError.Code.allCases.map { "publishing.\($0.rawValue)" }
        let statuses = [400, 401, 403, 404, 409, 413, 422, 429, 500, 503, 507]
        names += statuses.map { "refusal.what.\($0)" } + ["refusal.what.other"]
        let missing = names.filter { !texts.has($0) }
        #expect(missing == [])
        // Every catalogue falls back to English.
        let same = language == "en" ? [] : names.filter { texts.text($0) == english.text($0) }
        #expect(same == [])
    }

    @Test("by the store, the library or an import is told in the language of the page")
    func words() throws {
        let texts = try Catalogues(Resources())["de"]
        #expect(texts.words(StoreError(.full, "the disk is full")).hasPrefix("Die Platte"))
        #expect(texts.words(StoreError(.taken, "x", field: "name")) == texts.text("store.taken.name"))
        #expect(texts.words(StoreError(.notFound, "there is no document a")).hasPrefix("Das gibt es nicht mehr: there"))
        #expect(texts.words(MediaError(.empty, "the file is empty")).hasPrefix("Die Datei"))
        #expect(texts.words(PublishingError(.format, "it is empty")).contains("Format: it is empty"))
        #expect(texts.words(ofStatus: 418) == texts.text("refusal.what.other"))
        #expect(texts.words(ofStatus: 599) == texts.text("refusal.what.500"))
    }

    @Test("because the database cannot be read is not told as the end of the server")
    func database() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .viewer)
        let cookie = try await server.signIn("ana").cookie
        server.store.close()
        let answer = try await server.ask("/", ["Cookie: \(cookie)"])
        #expect(answer.status == 500 && answer.text.contains("content.sqlite"))
    }

    @Test("as a page is told in the reader's language, with the English words folded", arguments: Catalogues.tags)
    func page(_ language: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let answer = try await server.ask(
            "/images/\(DocumentID.random())", ["Cookie: \(cookie)", "Accept-Language: \(language)"])
        let alert = answer.text.split(separator: "role=\"alert\">").dropFirst().first?.prefix { $0 != "<" } ?? ""
        #expect(answer.status == 404)
        let texts = try Catalogues(Resources())[language]
        if language == "en" {
            #expect(alert.hasPrefix("there is nothing at /images/"))
        } else {
            #expect(alert == texts.text("refusal.what.404"))
        }
        #expect(answer.text.contains("<details><summary>\(texts.text("refusal.details"))") == (language != "en"))
    }
}
