import CurationStore
import TestSupport
import Testing

@Suite("Forms of other sites", .timeLimit(.minutes(10)))
struct ForgeryTests {
    @Test("are refused without the proof of this session, or with that of another", arguments: Proof.allCases)
    func proof(proof: Proof) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        try await server.account("ben", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let given: String? =
            switch proof {
            case .none: nil
            case .empty: ""
            case .wrong: String(csrf.reversed())
            case .cut: String(csrf.dropLast())
            case .ofOtherSession: try await server.signIn("ben").csrf
            case .ofVisit: try await server.visit().csrf
            case .right: csrf
            }
        let response = try await server.post(
            "/sign-out", given.map { [("csrf", $0)] } ?? [], cookie: cookie)
        let isSignedOut = try await server.ask("/history", ["Cookie: \(cookie)"]).status == 303
        #expect(response.status == (proof == .right ? 303 : 403))
        #expect(isSignedOut == (proof == .right))
    }

    enum Proof: CaseIterable {
        case none, empty, wrong, cut, ofOtherSession, ofVisit, right
    }

    @Test("are refused with the password of a proxy, which browsers send by themselves")
    func basicAuthorization() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let response = try await server.post(
            "/sign-out", [], cookie: cookie, ["Authorization: Basic YW5hOnNlY3JldA=="])
        #expect(response.status == 403)
    }

    @Test("cannot sign somebody in")
    func signIn() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let response = try await server.post(
            "/sign-in", [("name", "ana"), ("password", CuratorServer.password)], cookie: nil)
        #expect(response.status == 403)
        #expect(response.fields["set-cookie"]?.contains("beacon_session") != true)
    }

    @Test("cannot use the API with the session of a browser")
    func api() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let fields = ["Cookie: \(cookie)"]
        let body = "{\"name\":{\"en\":\"Whale\"}}"
        #expect(try await server.api("POST", "/beacons", nil, fields, body: body).status == 403)
        #expect(
            try await server.api("POST", "/beacons", nil, fields + ["X-CSRF-Token: \(csrf)"], body: body).status == 201)
    }
}
