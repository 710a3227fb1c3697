import Content
import SiteFormat
import Testing

@Suite("Documents that are sent to a site", .timeLimit(.minutes(10)))
struct SitePostTests {
    @Test("an answer whose end does not come is not waited for: its status counts", arguments: [200, 503])
    func endless(status: Int) async throws {
        let server = try RawServer { _, _ in
            [.send(Array("HTTP/1.1 \(status) Status\r\nContent-Length: 100000\r\n\r\n".utf8)), .trickle]
        }
        defer { server.stop() }
        var settings = try ContentSettings(baseURL: server.baseURL, directory: "unused")
        // Enough for a busy machine to answer, and all of it is waited for.
        settings.documentTimeout = .seconds(5)
        let post = try SitePost(settings, token: nil)
        let path = try #require(ManifestPath("reports"))
        var code: ContentError.Code?
        do throws(ContentError) {
            try await post.post("{}", to: path)
        } catch {
            code = error.code
        }
        await post.shutdown()
        #expect(code == (status == 200 ? nil : ContentError.Code.unavailable))
        #expect(server.count("/v1/reports") == 1)
    }
}
