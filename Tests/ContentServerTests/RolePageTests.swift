import ContentServer
import Curation
import CurationStore
import TestSupport
import Testing

/// What pages show to each role.
@Suite("Pages for roles", .timeLimit(.minutes(10)))
struct RolePageTests {
    @Test("a one-time link says whether it is for an invitation or for a new password")
    func links() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        try await server.account("ben", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let invitation = try await server.post("/accounts", [("csrf", csrf), ("role", "viewer")], cookie: cookie)
        #expect(invitation.text.contains("<label for=\"link\">Link for the invitation</label>"))
        let password = try await server.post("/accounts/link", [("csrf", csrf), ("name", "ben")], cookie: cookie)
        #expect(password.text.contains("<label for=\"link\">Link for a new password</label>"))
    }

    @Test("a viewer is told on forms that only others can change them")
    func viewers() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        try await server.account("ben", .editor)
        try await server.account("vera", .viewer)
        let beacon = try await server.store.save(
            .beacon(BeaconDocument()), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let image = try await server.store.save(
            .image(ImageDocument()), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let forms = ["/beacons/\(beacon.id)", "/images/\(image.id)", "/images/\(image.id)/page"]
        let words = "only editors can change it"
        let viewer = try await server.signIn("vera").cookie
        let editor = try await server.signIn("ben").cookie
        for path in forms {
            #expect(try await server.ask(path, ["Cookie: \(viewer)"]).text.contains(words), "\(path)")
            #expect(try await !server.ask(path, ["Cookie: \(editor)"]).text.contains(words), "\(path)")
        }
        #expect(try await !server.ask(forms[0], ["Cookie: \(viewer)"]).text.contains("Drop a picture"))
        #expect(try await server.ask(forms[0], ["Cookie: \(editor)"]).text.contains("Drop a picture"))
        let settings = "Only administrators can change the settings"
        #expect(try await server.ask("/site", ["Cookie: \(editor)"]).text.contains(settings))
        let administrator = try await server.signIn("ana").cookie
        #expect(try await !server.ask("/site", ["Cookie: \(administrator)"]).text.contains(settings))
    }
}
