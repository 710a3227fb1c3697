import Beacon
import ContentServer
import Curation
import CurationStore
import Foundation
import Media
import Platform
import Publishing
import SiteFormat
import TestSupport
import Testing

@Suite("Export and import by the API", .timeLimit(.minutes(10)))
struct ExchangeAPITests {
    private func beacon(_ name: String, minor: UInt16) -> Document {
        var body = BeaconDocument()
        body.name = LocalizedText(name, in: .english)
        body.uuid = ProximityUUID("636f3f8f-6491-4bee-95f7-d8cc64a863b5")
        (body.major, body.minor) = (1, minor)
        return .beacon(body)
    }

    /// A server with two beacons and a title.
    private func filled() async throws -> (server: CuratorServer, beacons: [StoredDocument]) {
        let server = try await CuratorServer()
        var beacons: [StoredDocument] = []
        for (minor, name) in [(UInt16(1), "Whale"), (2, "Squid")] {
            beacons.append(
                try await server.store.save(
                    beacon(name, minor: minor), as: nil, over: nil, by: Author("ana"), at: server.clock.now))
        }
        var site = SiteDocument()
        site.title = "Hall of whales"
        _ = try await server.store.save(.site(site), as: .site, over: 0, by: Author("ana"), at: server.clock.now)
        return (server, beacons)
    }

    private func archive(_ server: CuratorServer) async throws -> [UInt8] {
        let response = try await server.api("GET", "/export/site.zip", try await server.token([.read]))
        #expect(response.status == 200 && response.fields["content-type"] == "application/zip")
        #expect(response.fields["content-length"] == nil, "it is sent while it is written")
        return response.body
    }

    @Test("HEAD of an archive says no length, as GET does, and the connection can be used again")
    func headOfArchive() async throws {
        let (server, _) = try await filled()
        let connection = try RawConnection(port: server.port)
        let fields = ["Host: localhost", "Authorization: Bearer \(try await server.token([.read]))"]
        let head = try await connection.ask("/api/v1/export/site.zip", method: "HEAD", fields: fields)
        #expect(head.status == 200 && head.fields["content-type"] == "application/zip")
        #expect(head.fields["content-length"] == nil)
        // What follows is the next answer, and no last chunk.
        let next = try await connection.ask("/api/v1/beacons", fields: fields)
        #expect(next.status == 200 && next["total"] == "2")
    }

    private static let program = Author("program")

    @Test(
        "an archive goes into another server as drafts, the settings only with the scope admin",
        arguments: [false, true])
    func archive(isAdmin: Bool) async throws {
        let (source, beacons) = try await filled()
        let bytes = try await archive(source)
        let target = try await CuratorServer()
        let token = try await target.token([isAdmin ? .admin : .edit])
        let plan = try await target.send("/import/site.zip?dry_run=true", token, bytes)
        #expect(plan.status == 200 && plan["saved"] == "0")
        for beacon in beacons { #expect(plan.text.contains("\"id\":\"\(beacon.id)\"")) }
        #expect(plan.text.contains("\"kind\":\"site\"") == isAdmin)
        #expect(try await target.store.documents(.beacon).total == 0, "a dry run saves nothing")
        let done = try await target.send("/import/site.zip", token, bytes)
        #expect(done.status == 200 && done["saved"] == "1")
        for beacon in beacons { #expect(try await target.store.document(beacon.id).document == beacon.document) }
        #expect(try await target.store.site().document.site?.title == (isAdmin ? "Hall of whales" : ""))
        let again = try await target.send("/import/site.zip", token, bytes)
        #expect(again.text.contains("\"changes\":[]") && again["unchanged"] == (isAdmin ? "3" : "2"))
    }

    @Test("a file that the library has under another id is not imported again", arguments: [true, false])
    func knownFile(isThereBefore: Bool) async throws {
        let captions = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".utf8)
        let (source, _) = try await filled()
        let target = try await CuratorServer()
        for server in isThereBefore ? [source, target] : [source] {
            let media = try await server.services.media.add(captions, name: "a.vtt")
            _ = try await server.store.save(
                .media(media), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        }
        let before = try await target.store.documents(.media).documents
        let bytes = try await archive(source)
        let token = try await target.token([.edit])
        let plan = try await target.send("/import/site.zip?dry_run=true", token, bytes)
        let done = try await target.send("/import/site.zip", token, bytes)
        for answer in [plan, done] {
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains("\"kind\":\"media\"") != isThereBefore)
            #expect(answer["unchanged"] == (isThereBefore ? "1" : "0"))
        }
        let after = try await target.store.documents(.media).documents
        #expect(after.count == 1 && (!isThereBefore || after == before))
        #expect(try await target.store.documents(.beacon).total == 2)
    }

    @Test("a plan says what is new, what is changed and what comes out of the bin")
    func plan() async throws {
        let (server, beacons) = try await filled()
        let bytes = try await archive(server)
        let now = server.clock.now
        try await server.store.delete(beacons[0].id, by: Self.program, at: now)
        _ = try await server.store.save(
            beacon("Giant squid", minor: 2), as: beacons[1].id, over: 1, by: Self.program, at: now)
        let plan = try await server.send("/import/site.zip?dry_run=true", try await server.token([.edit]), bytes)
        let changes = plan.text.matches(of: /"name":"([A-Za-z ]+)","what":"([a-z]+)"/).map { "\($0.1) \($0.2)" }
        #expect(changes.sorted() == ["Squid changed", "Whale restored"])
    }

    @Test("a table is exported, planned and imported, and its mistakes are named by line and column")
    func table() async throws {
        let (server, beacons) = try await filled()
        let token = try await server.token([.edit])
        let table = try await server.api("GET", "/export/beacons.csv", token)
        #expect(table.status == 200 && table.fields["content-type"] == "text/csv; charset=utf-8")
        let changed = table.text.replacing("Whale", with: "Blue whale")
        let plan = try await server.send("/import/beacons.csv?dry_run=true", token, Array(changed.utf8))
        #expect(plan.status == 200 && plan["saved"] == "0" && plan.text.contains("\"name\":\"Blue whale\""))
        #expect(try await server.store.document(beacons[0].id).document == beacons[0].document)
        #expect(try await server.send("/import/beacons.csv", token, Array(changed.utf8))["saved"] == "1")
        #expect(try await server.store.document(beacons[0].id).document.beacon?.name[.english] == "Blue whale")
        let wrong = try await server.send("/import/beacons.csv", token, Array("uuid,major\nx,70000\n".utf8))
        #expect(wrong.status == 422)
        #expect(wrong.text.contains("\"field\":\"2.uuid\"") && wrong.text.contains("\"field\":\"2.major\""))
        let texts = try await server.api("GET", "/export/texts.csv", token)
        #expect(try await server.send("/import/texts.csv", token, texts.body).status == 200)
        #expect(try await server.api("GET", "/export/tour.xml", token).fields["content-type"] == "application/xml")
    }

    @Test(
        "what is no archive or table is refused, without the place where it lay",
        arguments: ["site.zip", "beacons.csv", "texts.csv"], ["", "no archive", "PK\u{5}\u{6}", "\u{0}\u{1}"])
    func refused(name: String, text: String) async throws {
        let server = try await CuratorServer()
        let response = try await server.send("/import/\(name)", try await server.token([.edit]), Array(text.utf8))
        #expect(response.status == 422)
        #expect(!response.text.contains("import-"))
    }

    @Test("an archive that arrives is an upload as others are: it goes with its client, or at the next start")
    func arriving() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let state = server.services.settings.state
        var connection: RawConnection? = try RawConnection(port: server.port)
        await connection?.send(
            "POST /api/v1/import/site.zip HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nPK")
        try await waitUntil("the archive arrives") { Self.uploads(in: state).count == 1 }
        // A command that opens the library leaves it alone.
        _ = try MediaLibrary(folder: state, helper: ImageHelper(program: nil))
        #expect(Self.uploads(in: state).count == 1)
        connection = nil
        try await waitUntil("the archive is gone with its client") { Self.uploads(in: state).isEmpty }
    }

    private static func uploads(in state: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(state)/uploads")) ?? []
    }

    @Test("more than an upload may have is refused, and so is a table that is too large")
    func limits() async throws {
        let server = try await CuratorServer { $0.largestUpload = 1 << 20 }
        let token = try await server.token([.edit])
        let large = [UInt8](repeating: 65, count: 9 << 20)
        for name in ["site.zip", "beacons.csv"] {
            #expect(try await server.send("/import/\(name)", token, large).status == 413)
        }
    }

    @Test("archives are imported one after another, and so are plans", arguments: ["", "?dry_run=true"])
    func oneAtATime(query: String) async throws {
        let target = try await CuratorServer()
        let status = try await importInTurn("/import/site.zip\(query)", to: target) {
            let total = try await target.store.documents(.beacon).total
            #expect(total == 0)
        }
        #expect(status == 200)
        // It has given its turn back.
        let turn = target.services.exchange.turn
        await turn.wait()
        turn.signal()
    }

    @Test("an archive is not imported if the token is revoked while it waits for its turn")
    func revokedMeanwhile() async throws {
        let target = try await CuratorServer()
        let status = try await importInTurn("/import/site.zip", to: target) {
            for token in try await target.store.tokens() { try await target.store.revokeToken(token.number) }
        }
        #expect(status == 401)
        #expect(try await target.store.documents(.beacon).total == 0)
    }

    /// Imports an archive whose turn comes only after `meanwhile`.
    ///
    /// - Returns: the status of the answer.
    private func importInTurn(
        _ path: String, to target: CuratorServer, _ meanwhile: () async throws -> Void
    ) async throws -> Int {
        let (source, _) = try await filled()
        let bytes = try await archive(source)
        let token = try await target.token([.edit])
        let turn = target.services.exchange.turn
        await turn.wait()
        async let answer = target.send(path, token, bytes)
        try await waitUntil("the import waits") { turn.waiters == 1 }
        try await meanwhile()
        turn.signal()
        return try await answer.status
    }

    @Test(
        "what an archive says of a file that the library has must be true",
        arguments: [
            "", #""media_type":"image/png""#, #""media_type":"text/vtt","width":640,"height":480"#, #""bytes":12345"#,
        ], [true, false])
    func changedFile(claim: String, isSaved: Bool) async throws {
        let captions = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".utf8)
        let source = try await CuratorServer()
        let media = try await source.services.media.add(captions, name: "a.vtt")
        let saved = try await source.store.save(
            .media(media), as: nil, over: nil, by: Self.program, at: source.clock.now)
        // Where the file lies in the library and nothing is known of it, it is examined again.
        let target = isSaved ? source : try await CuratorServer()
        if !isSaved { _ = try await target.services.media.add(captions, name: "b.vtt") }
        let body = try saved.document.json()
        let truth = claim.hasPrefix(#""bytes""#) ? #""bytes":\#(media.bytes)"# : #""media_type":"text/vtt""#
        let changed = claim.isEmpty ? body : Array(
            String(decoding: body, as: UTF8.self).replacing(truth, with: claim).utf8)
        #expect(claim.isEmpty || changed != body)
        let line = Array("\n{\"id\":\"\(saved.id)\",\"kind\":\"media\",\"body\":".utf8) + changed + Array("}\n".utf8)
        var writer = try ZIPWriter([
            ("curation/documents.jsonl", .bytes(line)), ("curation/media/\(media.hash)", .bytes(captions)),
        ])
        var bytes: [UInt8] = []
        while let portion = try writer.next() { bytes += portion }
        let token = try await target.token([.edit])
        for query in ["?dry_run=true", ""] {
            let answer = try await target.send("/import/site.zip\(query)", token, bytes)
            guard isSaved, !claim.isEmpty else {
                #expect(answer.status == 200 && answer["files"] == "0", "\(answer.text)")
                continue
            }
            #expect(answer.status == 422 && answer.text.contains("documents.jsonl:2"), "\(answer.text)")
            #expect(answer.text.contains("is text/vtt"), "\(answer.text)")
        }
        let stored = try await target.store.document(saved.id).document.media
        #expect(stored?.mediaType == "text/vtt" && stored?.width == nil && stored?.hash == media.hash)
        #expect(stored?.bytes == media.bytes)
    }
}
