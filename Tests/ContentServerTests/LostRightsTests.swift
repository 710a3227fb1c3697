import ContentServer
import Curation
import CurationStore
import TestSupport
import Testing

/// Requests that are let in, and whose body ends only after the rights of their sender.
@Suite("Rights that end while a body arrives", .timeLimit(.minutes(10)))
struct LostRightsTests {
    /// What ends the rights of an account.
    enum End: CaseIterable {
        case removed, disabled, demoted

        func end(_ name: String, _ store: CurationStore) async throws {
            switch self {
            case .removed: try await store.removeAccount(name)
            case .disabled: try await store.updateAccount(name, isEnabled: false)
            case .demoted: try await store.updateAccount(name, role: .viewer)
            }
        }

        /// Of the answer. A viewer is still signed in.
        var status: Int { self == .demoted ? 403 : 401 }
    }

    /// Sends a request without the last character of its body, and that one after `end`.
    ///
    /// - Parameter isLetIn: whether the server has looked its sender up.
    private static func post(
        _ path: String, _ fields: [String], _ body: String, to server: CuratorServer,
        after end: () async throws -> Void, when isLetIn: () async throws -> Bool
    ) async throws -> RawResponse {
        let connection = try RawConnection(port: server.port)
        let all = ["Host: localhost", "Content-Length: \(body.utf8.count)"] + fields
        await connection.send(
            "POST \(path) HTTP/1.1\r\n" + all.map { "\($0)\r\n" }.joined() + "\r\n" + body.dropLast())
        try await waitUntil("its sender is let in", isLetIn)
        try await end()
        await connection.send(String(body.suffix(1)))
        var response: RawResponse?
        try await connection.waitUntil("it is answered") { connection in
            response = RawResponse(connection.received, isOver: connection.isOver)
            return response != nil
        }
        return try #require(response)
    }

    /// The same as `ben`, who is signed in.
    ///
    /// - Parameter request: is given what forms of the session carry.
    private static func postAsBen(
        _ path: String, role: Account.Role, to server: CuratorServer, end: End,
        _ request: (_ csrf: String) -> (fields: [String], body: String)
    ) async throws -> RawResponse {
        try await server.account("ana", .administrator)
        try await server.account("ben", role)
        let (cookie, csrf) = try await server.signIn("ben")
        let (fields, body) = request(csrf)
        let (secret, begin) = (String(cookie.drop { $0 != "=" }.dropFirst()), server.clock.now)
        // So long after the last use, the next one is recorded.
        server.clock.advance(120)
        return try await post(path, ["Cookie: \(cookie)"] + fields, body, to: server) {
            try await end.end("ben", server.store)
        } when: {
            // Asked at this instant, the session is not used.
            try await server.store.session(secret, at: begin).map { $0.usedAt != begin } ?? false
        }
    }

    /// Whether a server has nothing that somebody has made with a request.
    private static func isEmpty(_ server: CuratorServer) async throws -> Bool {
        let (store, now) = (server.store, server.clock.now)
        let names = Set(try await store.accounts().map(\.name)).subtracting(["ana", "ben"])
        let (tokens, links) = (try await store.tokens(), try await store.openLinks(at: now))
        let documents = try await store.documents(.beacon).total + store.documents(.media).total
        return names.isEmpty && tokens.isEmpty && links.isEmpty && documents == 0
    }

    @Test("a form makes no link and no token", arguments: End.allCases, ["/accounts", "/tokens"])
    func forms(end: End, path: String) async throws {
        let server = try await CuratorServer()
        let answer = try await Self.postAsBen(path, role: .administrator, to: server, end: end) { csrf in
            let form = "csrf=\(csrf)&role=administrator&name=shop&scope=admin&days=365"
            return (["Content-Type: application/x-www-form-urlencoded"], form)
        }
        #expect(answer.status == end.status)
        #expect(try await Self.isEmpty(server))
    }

    @Test("a form with files brings none", arguments: End.allCases)
    func files(end: End) async throws {
        let server = try await CuratorServer()
        let answer = try await Self.postAsBen("/media", role: .editor, to: server, end: end) { csrf in
            func part(_ head: String, _ body: String) -> String {
                "--XX\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(body)\r\n"
            }
            let form = part("name=\"csrf\"", csrf) + part("name=\"files\"; filename=\"a.vtt\"", Self.captions)
            return (["Content-Type: multipart/form-data; boundary=XX"], form + "--XX--\r\n")
        }
        #expect(answer.status == end.status)
        #expect(try await Self.isEmpty(server))
    }

    @Test("the API makes no token for a session", arguments: End.allCases)
    func session(end: End) async throws {
        let server = try await CuratorServer()
        let answer = try await Self.postAsBen("/api/v1/tokens", role: .administrator, to: server, end: end) { csrf in
            (["Content-Type: application/json", "X-CSRF-Token: \(csrf)"], #"{"name":"shop","scopes":["admin"]}"#)
        }
        #expect(answer.status == end.status)
        #expect(try await Self.isEmpty(server))
    }

    private static let captions = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"

    @Test(
        "the API does nothing for a token that is revoked",
        arguments: [
            ("/api/v1/accounts", #"{"name":"eve","role":"administrator"}"#),
            ("/api/v1/tokens", #"{"name":"shop","scopes":["admin"]}"#),
            ("/api/v1/beacons", #"{"name":{"en":"Whale"}}"#), ("/api/v1/revisions", "{}"),
            ("/api/v1/uploads?name=a.vtt", captions), ("/api/v1/import/beacons.csv", "id,name.en\n,Whale\n"),
            ("/api/v1/import/site.zip", "PK, or not"), ("/v1/reports", "{}"),
        ])
    func token(path: String, body: String) async throws {
        let server = try await CuratorServer()
        let secret = try await server.token([.admin, .report])
        let fields = ["Content-Type: application/json", "Authorization: Bearer \(secret)"]
        let answer = try await Self.post(path, fields, body, to: server) {
            for token in try await server.store.tokens() { try await server.store.revokeToken(token.number) }
        } when: {
            try await server.store.tokens().contains { $0.usedAt != nil }
        }
        #expect(answer.status == 401, "\(answer.text)")
        #expect(try await Self.isEmpty(server))
        #expect(try await server.store.currentRevision() == nil)
    }
}
