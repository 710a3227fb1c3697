import ContentServer
import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

@Suite("Pages with more beacons than a list has", .timeLimit(.minutes(10)))
struct ManyBeaconsTests {
    @Test("say how many are left out, and a plan has its own ones")
    func leftOut() async throws {
        let server = try await CuratorServer()
        let rows = (1...5001).map { "636F3F8F-6491-4BEE-95F7-D8CC64A863B5,1,\($0),Beacon \($0)" }
        let table = (["uuid,major,minor,name.en"] + rows).joined(separator: "\n")
        let imported = try await server.send("/import/beacons.csv", try await server.token([.edit]), Array(table.utf8))
        #expect(imported.status == 200, "\(imported.text.prefix(1000))")
        func save(_ document: Document) async throws -> DocumentID {
            try await server.store.save(document, as: nil, over: nil, by: Author("ana"), at: server.clock.now).id
        }
        let plan = try await save(.plan(PlanDocument()))
        // By name it is the last one.
        var last = BeaconDocument()
        last.name = LocalizedText("Zebra", in: .english)
        last.plan = plan
        _ = try await save(.beacon(last))
        let image = try await save(.image(ImageDocument()))
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let form = try await server.ask("/images/\(image)", ["Cookie: \(cookie)"])
        #expect(form.status == 200)
        // For its beacon, and for that of a copy.
        let rest = "<option value=\"\" disabled>2 more are not shown</option>"
        #expect(form.text.components(separatedBy: rest).count == 3)
        let places = try await server.ask("/plans/\(plan)", ["Cookie: \(cookie)"])
        #expect(places.status == 200 && places.text.contains("Zebra"))
        #expect(places.text.contains("4002 more are not shown"))
    }
}
