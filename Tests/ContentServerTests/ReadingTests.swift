import ContentServer
import Curation
import CurationStore
import Foundation
import Media
import TestSupport
import Testing

@Suite("Reading what is published", .timeLimit(.minutes(10)))
struct ReadingTests {
    private static let beacon = """
        {"name":{"en":"Whale"},"uuid":"636F3F8F-6491-4BEE-95F7-D8CC64A863B5","major":1,"minor":2}
        """

    private func published(_ change: (inout ServerSettings) -> Void = { _ in }) async throws -> CuratorServer {
        let server = try await CuratorServer(change)
        let token = try await server.token([.edit, .publish])
        #expect(try await server.api("POST", "/beacons", token, body: Self.beacon).status == 201)
        #expect(try await server.api("POST", "/revisions", token, body: "{}").status == 201)
        return server
    }

    private func manifest(_ server: CuratorServer) async throws -> String {
        let list = try await server.ask("/v1/site.json").text
        let match = try #require(list.firstMatch(of: /manifests\/[0-9a-f]{64}\.json/))
        return "/v1/\(match.output)"
    }

    @Test("answers 404 before anything is published")
    func nothing() async throws {
        let server = try await CuratorServer()
        let list = try await server.ask("/v1/site.json")
        #expect(list.status == 404 && list.text.contains("nothing is published yet"), "\(list.text)")
    }

    @Test("checks the list each time, and keeps what its hash names for ever")
    func caching() async throws {
        let server = try await published()
        let list = try await server.ask("/v1/site.json")
        #expect(list.fields["cache-control"] == "no-cache")
        let tag = try #require(list.fields["etag"])
        #expect(try await server.ask("/v1/site.json", ["If-None-Match: \(tag)"]).status == 304)
        #expect(try await server.ask("/v1/site.json", ["If-None-Match: \"other\""]).status == 200)
        let manifest = try await server.ask(try await manifest(server))
        #expect(manifest.status == 200 && manifest.fields["cache-control"]?.contains("immutable") == true)
        let same = try await server.ask("/v1/beacons/636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/2.json")
        #expect(same.body == manifest.body && same.fields["cache-control"] == "no-cache")
    }

    @Test("sends a part of a file, and only the head to HEAD")
    func parts() async throws {
        let server = try await published()
        let path = try await manifest(server)
        let whole = try await server.ask(path)
        let part = try await server.ask(path, ["Range: bytes=2-5"])
        #expect(part.status == 206 && part.body == Array(whole.body[2...5]))
        #expect(part.fields["content-range"] == "bytes 2-5/\(whole.body.count)")
        #expect(try await server.ask(path, ["Range: bytes=99999999-"]).status == 416)
        #expect(try await server.ask(path, ["Range: bytes=2-5", "If-Range: \"other\""]).status == 200)
        let head = try await server.ask(path, method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.fields["content-length"] == "\(whole.body.count)")
        // Only GET has ranges.
        let headOfPart = try await server.ask(path, method: "HEAD", ["Range: bytes=2-5"])
        #expect(headOfPart.status == 200 && headOfPart.fields["content-length"] == "\(whole.body.count)")
        #expect(headOfPart.fields["content-range"] == nil)
    }

    @Test("sends a file of the library not again to a browser that has it")
    func libraryFile() async throws {
        let server = try await CuratorServer()
        let captions = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".utf8)
        let media = try await server.services.media.add(captions, name: "a.vtt")
        let stored = try await server.store.save(
            .media(media), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        try await server.account("ana", .viewer)
        let (cookie, _) = try await server.signIn("ana")
        let path = "/media/\(stored.id)/file"
        let first = try await server.ask(path, ["Cookie: \(cookie)"])
        #expect(first.status == 200 && first.body == captions)
        let tag = try #require(first.fields["etag"])
        let second = try await server.ask(path, ["Cookie: \(cookie)", "If-None-Match: \(tag)"])
        #expect(second.status == 304 && second.body.isEmpty)
    }

    @Test(
        "leads to no file outside of the published site",
        arguments: [
            "/v1/../content.sqlite", "/v1/assets/../../content.sqlite", "/v1/assets/%2e%2e%2f%2e%2e%2fcontent.sqlite",
            "/v1/assets/..%2fcontent.sqlite", "/v1//etc/passwd", "/v1/assets/%00",
            "/assets/../Templates/layout.mustache",
            "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/x", "/vendor/../../etc/passwd",
            "/vendor/..%2f..%2fetc/passwd",
            "/pictures/../../content.sqlite/160", "/media/..%2f..", "/link/..%2f..%2f", "/beacons/..%2f..%2fetc",
        ])
    func traversal(path: String) async throws {
        let server = try await published()
        let response = try await server.ask(path)
        #expect([303, 400, 404, 410].contains(response.status))
        #expect(!response.text.contains("root:") && !response.text.contains("SQLite format"))
    }

    @Test("needs the token of readers, if there is one")
    func readToken() async throws {
        let server = try await CuratorServer { $0.readToken = "the token of readers" }
        #expect(try await server.ask("/v1/site.json").status == 401)
        #expect(try await server.ask("/v1/site.json", ["Authorization: Bearer other"]).status == 401)
        #expect(try await server.ask("/v1/site.json", ["Authorization: Bearer the token of readers"]).status == 404)
    }

    @Test("lets no shared cache keep what needs a token")
    func sharedCaches() async throws {
        let server = try await published { $0.readToken = "readers" }
        let token = ["Authorization: Bearer readers"]
        let list = try await server.ask("/v1/site.json", token)
        #expect(list.fields["cache-control"] == "no-cache")
        let match = try #require(list.text.firstMatch(of: /manifests\/[0-9a-f]{64}\.json/))
        let manifest = try await server.ask("/v1/\(match.output)", token)
        #expect(manifest.status == 200)
        #expect(manifest.fields["cache-control"] == "private, max-age=31536000, immutable")
    }
}
