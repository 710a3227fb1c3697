import ContentServer
import Curation
import CurationStore
import TestSupport
import Testing

/// A password that is chosen with a link, or in place of another.
@Suite("A new password", .timeLimit(.minutes(10)))
struct NewPasswordTests {
    private static let rule = "At least 10 characters. Several words are good."

    /// What stands below the field.
    private static func mistake(_ page: String) -> String {
        page.split(separator: "id=\"password-error\">").dropFirst().first.map { String($0.prefix { $0 != "<" }) } ?? ""
    }

    @Test(
        "that is refused is told why, and its rule is not said twice",
        arguments: [
            ("short", "Too short: 5 of at least 10 characters"),
            (String(repeating: "a", count: 201), "The password is too long: at most 200 characters"),
        ])
    func refused(password: String, words: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        let secret = try await server.store.invite(.editor, by: Author("ana"), at: server.clock.now)
        let visit = try await server.visit()
        let first = try await server.post(
            "/link/\(secret)", [("csrf", visit.csrf), ("name", "ben"), ("password", password)], cookie: visit.cookie)
        let (cookie, csrf) = try await server.signIn("ana")
        let second = try await server.post(
            "/account/password",
            [("csrf", csrf), ("current", CuratorServer.password), ("password", password)], cookie: cookie)
        for page in [first, second] {
            #expect(page.status == 422)
            #expect(Self.mistake(page.text) == words)
            #expect(page.text.ranges(of: Self.rule).count == 1)
        }
    }

    @Test("gets no link where the account is disabled")
    func disabled() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        try await server.account("ben", .editor)
        let token = try await server.token([.admin])
        #expect(try await server.api("PATCH", "/accounts/ben", token, body: #"{"enabled":false}"#).status == 200)
        let answer = try await server.api("POST", "/accounts/ben/link", token)
        #expect(answer.status == 422 && answer["error"] == "the account ben is disabled", "\(answer.text)")
        #expect(answer["what_to_do"] == "enable it first")
        let (cookie, csrf) = try await server.signIn("ana")
        let page = try await server.post("/accounts/link", [("csrf", csrf), ("name", "ben")], cookie: cookie)
        #expect(page.status == 422 && page.text.contains("the account ben is disabled"))
    }
}
