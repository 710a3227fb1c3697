import ContentServer
import CurationStore
import TestSupport
import Testing

@Suite("Signing in", .timeLimit(.minutes(10)))
struct SessionTests {
    @Test("gives a cookie that scripts cannot read and other sites do not send")
    func cookieFlags() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (visit, csrf) = try await server.visit()
        let response = try await server.post(
            "/sign-in", [("csrf", csrf), ("name", "ana"), ("password", CuratorServer.password)], cookie: visit)
        #expect(response.status == 303)
        let cookie = response.fields["set-cookie"] ?? ""
        #expect(cookie.hasPrefix("beacon_session="))
        #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && cookie.contains("; Path=/"))
        #expect(!cookie.contains("Secure"))
    }

    @Test("sends the cookie over TLS only behind a named proxy that uses it")
    func secureCookie() async throws {
        let server = try await CuratorServer { $0.proxies = [.init("127.0.0.1")].compactMap { $0 } }
        let page = try await server.ask("/sign-in", ["X-Forwarded-Proto: https"])
        let cookie = page.fields["set-cookie"] ?? ""
        #expect(cookie.hasPrefix("__Host-beacon_visit=") && cookie.contains("; Secure"))
        #expect(page.fields["strict-transport-security"] != nil)
    }

    @Test("begins a new session, whatever cookie the browser had before")
    func fixation() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let former = try await server.signIn("ana").cookie
        let csrf = CuratorServer.csrf(try await server.ask("/sign-in", ["Cookie: \(former)"]).text) ?? ""
        let response = try await server.post(
            "/sign-in", [("csrf", csrf), ("name", "ana"), ("password", CuratorServer.password)], cookie: former)
        #expect(response.status == 303)
        #expect(CuratorServer.cookie(response) != former)
        // The former one has ended, so whoever knows it gains nothing.
        #expect(try await server.ask("/history", ["Cookie: \(former)"]).status == 303)
    }

    @Test(
        "is found beside cookies of other sites, whatever is in them", arguments: ["a=b\u{600}; ", "a=b;\u{301}c=d; "])
    func otherCookies(others: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        #expect(try await server.ask("/history", ["Cookie: \(others)\(cookie)"]).status == 200)
    }

    @Test("does not take a session that the server has not made")
    func inventedSession() async throws {
        let server = try await CuratorServer()
        let value = String(repeating: "a", count: 43)
        #expect(try await server.ask("/history", ["Cookie: beacon_session=\(value)"]).status == 303)
    }

    @Test("is refused after five wrong passwords, also with the right one, until time has passed")
    func rateLimit() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (visit, csrf) = try await server.visit()
        func attempt(_ password: String) async throws -> RawResponse {
            try await server.post(
                "/sign-in", [("csrf", csrf), ("name", "ana"), ("password", password)], cookie: visit)
        }
        for _ in 0..<5 { #expect(try await attempt("wrong password").status == 422) }
        let refused = try await attempt(CuratorServer.password)
        #expect(refused.status == 429)
        #expect((refused.fields["retry-after"].flatMap { Int($0) } ?? 0) > 0)
        server.clock.advance(600)
        #expect(try await attempt(CuratorServer.password).status == 303)
    }

    @Test("says the same of a wrong name and of a wrong password")
    func sameWords() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (visit, csrf) = try await server.visit()
        var pages: [String] = []
        for name in ["ana", "bob"] {
            let response = try await server.post(
                "/sign-in", [("csrf", csrf), ("name", name), ("password", "wrong password")], cookie: visit)
            #expect(response.status == 422)
            pages.append(response.text.replacing("value=\"\(name)\"", with: ""))
        }
        #expect(pages[0] == pages[1])
    }

    @Test(
        "leads to a page of this server only",
        arguments: [
            "//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)",
            "/%0d%0aSet-Cookie:x=1\r\nX: y", "",
        ])
    func openRedirect(next: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (visit, csrf) = try await server.visit()
        let response = try await server.post(
            "/sign-in",
            [("csrf", csrf), ("name", "ana"), ("password", CuratorServer.password), ("next", next)], cookie: visit)
        #expect(response.status == 303)
        let location = response.fields["location"] ?? ""
        #expect(location == "/" || location.hasPrefix("/%0d%0a") && !location.contains("\r"))
        #expect(response.fields["x"] == nil)
    }

    @Test("leads to the page that was wanted, also after a language was chosen and a password was wrong")
    func language() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let wanted = "/beacons?q=a%20b&offset=60"
        func field(_ page: RawResponse, after action: String) -> String {
            let text = page.text
            guard let form = text.firstRange(of: "action=\"\(action)\""),
                let value = text[form.upperBound...].firstRange(of: "name=\"next\" value=\"")
            else { return "" }
            return String(text[value.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
        }
        let address = try #require(try await server.ask(wanted).fields["location"])
        var page = try await server.ask(address)
        let (visit, csrf) = (CuratorServer.cookie(page) ?? "", CuratorServer.csrf(page.text) ?? "")
        func post(_ path: String, _ fields: [(String, String)]) async throws -> RawResponse {
            try await server.post(path, [("csrf", csrf)] + fields, cookie: visit)
        }
        #expect(field(page, after: "/sign-in") == wanted)
        let chosen = try await post("/language", [("language", "de"), ("next", field(page, after: "/language"))])
        #expect(chosen.fields["location"] == address)
        page = try await post("/sign-in", [("name", "ana"), ("password", "x"), ("next", wanted)])
        #expect(page.status == 422 && field(page, after: "/sign-in") == wanted)
        #expect(field(page, after: "/language") == address)
        let done = try await post(
            "/sign-in", [("name", "ana"), ("password", CuratorServer.password), ("next", wanted)])
        #expect(done.status == 303 && done.fields["location"] == wanted)
    }

    @Test("ends a session that was not used for half a day")
    func idle() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        let cookie = try await server.signIn("ana").cookie
        #expect(try await server.ask("/history", ["Cookie: \(cookie)"]).status == 200)
        server.clock.advance(13 * 3600)
        #expect(try await server.ask("/history", ["Cookie: \(cookie)"]).status == 303)
    }

    @Test("leaves nothing behind when it is undone")
    func signOut() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let response = try await server.post("/sign-out", [("csrf", csrf)], cookie: cookie)
        #expect(response.status == 303)
        #expect(try await server.ask("/history", ["Cookie: \(cookie)"]).status == 303)
    }

    @Test("works once with a link, which makes the first account")
    func firstLink() async throws {
        let server = try await CuratorServer()
        let secret = try #require(try await server.store.firstLink(at: server.clock.now))
        let page = try await server.ask("/link/\(secret)")
        #expect(page.status == 200)
        let csrf = CuratorServer.csrf(page.text) ?? ""
        let form = [
            ("csrf", csrf), ("name", "ana"), ("password", CuratorServer.password), ("again", CuratorServer.password),
        ]
        let cookie = CuratorServer.cookie(page)
        #expect(try await server.post("/link/\(secret)", form, cookie: cookie).status == 303)
        #expect(try await server.store.account("ana").role == .administrator)
        let other = form.map { $0.0 == "name" ? ("name", "ben") : $0 }
        #expect(try await server.post("/link/\(secret)", other, cookie: cookie).status == 410)
    }
}
