import ContentServer
import Curation
import CurationStore
import TestSupport
import Testing

/// The links on the page Accounts that nobody has used yet.
@Suite("Open invitations", .timeLimit(.minutes(10)))
struct InvitationTests {
    /// What the form for withdrawing sends, for each open link of the page.
    private static func keys(_ page: String) -> [String] {
        page.matches(of: /name="link" value="([^"]*)"/).map { String($0.1) }
    }

    /// The secret of the link that was just made.
    private static func secret(_ page: String) -> String? {
        page.firstMatch(of: /value="[^"]*\/link\/([^"]+)"/).map { String($0.1) }
    }

    @Test("are listed with role, maker and end, and one that is withdrawn makes no account any more")
    func withdrawn() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        let (cookie, csrf) = try await server.signIn("ana")
        let empty = try await server.ask("/accounts", ["Cookie: \(cookie)"]).text
        #expect(!empty.contains("Open invitations"))
        let made = try await server.post("/accounts", [("csrf", csrf), ("role", "viewer")], cookie: cookie).text
        let secret = try #require(Self.secret(made))
        let page = try await server.ask("/accounts", ["Cookie: \(cookie)"]).text
        #expect(page.contains("Open invitations") && page.contains("Invitation (Viewer)"))
        #expect(page.contains("<bdi>ana</bdi>") && page.contains("data-label=\"Valid until\""))
        #expect(!page.contains(secret), "the secret is shown only once")
        let key = try #require(Self.keys(page).first)
        let form = [("csrf", csrf), ("link", key)]
        let done = try await server.post("/accounts/withdraw", form, cookie: cookie)
        #expect(done.status == 303 && done.fields["location"] == "/accounts?done=withdrawn")
        #expect(try await server.ask("/link/\(secret)").status == 410)
        let visit = try await server.visit()
        let late = try await server.post(
            "/link/\(secret)",
            [("csrf", visit.csrf), ("name", "eve"), ("password", CuratorServer.password)], cookie: visit.cookie)
        #expect(late.status == 410)
        #expect(try await server.store.accounts().map(\.name) == ["ana"])
        // As in a second window that still shows it.
        let again = try await server.post("/accounts/withdraw", form, cookie: cookie)
        #expect(again.status == 422 && again.text.contains("was used or withdrawn meanwhile"))
    }

    @Test("are the administrators' alone, and leave the list when they are used")
    func administrators() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        try await server.account("ben", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let made = try await server.post("/accounts", [("csrf", csrf), ("role", "editor")], cookie: cookie).text
        let secret = try #require(Self.secret(made))
        let key = try #require(Self.keys(made).first)
        let editor = try await server.signIn("ben")
        let refused = try await server.post(
            "/accounts/withdraw", [("csrf", editor.csrf), ("link", key)], cookie: editor.cookie)
        #expect(refused.status == 403)
        #expect(try await server.post("/accounts/withdraw", [("link", key)], cookie: cookie).status == 403)
        #expect(try await server.ask("/link/\(secret)").status == 200)
        let visit = try await server.visit()
        let used = try await server.post(
            "/link/\(secret)",
            [("csrf", visit.csrf), ("name", "cy"), ("password", CuratorServer.password)], cookie: visit.cookie)
        #expect(used.status == 303)
        #expect(try await Self.keys(server.ask("/accounts", ["Cookie: \(cookie)"]).text).isEmpty)
    }
}

/// What a removed or demoted administrator has made, and what the page and the API say of it.
@Suite("Tokens of somebody who is no administrator any more", .timeLimit(.minutes(10)))
struct RevokedTokenTests {
    /// A server with two administrators, and the secret of a token with admin that `ben` has made.
    private static func server() async throws -> (server: CuratorServer, secret: String) {
        let server = try await CuratorServer()
        for name in ["ana", "ben"] { try await server.account(name, .administrator) }
        let made = try await server.store.createToken(
            "bens", scopes: [.admin], expiresAt: nil, by: Author("ben"), at: server.clock.now)
        return (server, made.secret)
    }

    @Test("stop working at once, and the page says how many", arguments: ["remove", "role"])
    func page(action: String) async throws {
        let (server, secret) = try await Self.server()
        let (cookie, csrf) = try await server.signIn("ana")
        #expect(try await server.api("GET", "/tokens", secret).status == 200)
        let form = [("csrf", csrf), ("name", "ben"), ("role", "editor")]
        let answer = try await server.post("/accounts/\(action)", form, cookie: cookie)
        #expect(answer.status == 303)
        let next = try #require(answer.fields["location"])
        let page = try await server.ask(next, ["Cookie: \(cookie)"]).text
        #expect(page.contains("1 token with “admin” is revoked, too"))
        #expect(try await server.api("GET", "/tokens", secret).status == 401)
        let body = #"{"name":"eve","role":"administrator"}"#
        #expect(try await server.api("POST", "/accounts", secret, body: body).status == 401)
    }

    @Test("are counted by the API where an account is changed or removed, and where a token is revoked")
    func api() async throws {
        let (server, secret) = try await Self.server()
        let own = try await server.token([.admin])
        // What the program with ben's token makes is not the account's of the same name.
        let second = try await server.api("POST", "/tokens", secret, body: #"{"name":"ana","scopes":["admin"]}"#)
        #expect(second.status == 201)
        let kept = try await server.api("PATCH", "/accounts/ben", own, body: #"{"role":"administrator"}"#)
        #expect(kept.status == 200 && kept["revoked_tokens"] == "0")
        let demoted = try await server.api("PATCH", "/accounts/ben", own, body: #"{"role":"viewer"}"#)
        #expect(demoted.status == 200 && demoted["revoked_tokens"] == "2", "\(demoted.text)")
        let removed = try await server.api("DELETE", "/accounts/ben", own)
        #expect(removed.status == 200 && removed["revoked_tokens"] == "0")
        let third = try await server.api("POST", "/tokens", own, body: #"{"name":"x","scopes":["admin"]}"#)
        let number = try #require(third["number"])
        let revoked = try await server.api("DELETE", "/tokens/\(number)", own)
        #expect(revoked.status == 200 && revoked["revoked_tokens"] == "0")
    }
}
