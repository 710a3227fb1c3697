import ContentServer
import Curation
import CurationStore
import Glibc
import Media
import TestSupport
import Testing

@Suite("Limits of the content server", .timeLimit(.minutes(10)))
struct LimitTests {
    @Test("a stranger's form has room for a name and a password, an editor's for texts")
    func strangersForm() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (visit, proof) = try await server.visit()
        let long = String(repeating: "a", count: 70_000)
        for path in ["/sign-in", "/link/none", "/language", "/beacons"] {
            let response = try await server.post(path, [("csrf", proof), ("name", long)], cookie: visit)
            #expect(response.status == 413 && response.text.contains("nobody is signed in"), "\(path)")
        }
        let (cookie, csrf) = try await server.signIn("ana")
        #expect(try await server.post("/beacons", [("csrf", csrf), ("note", long)], cookie: cookie).status == 422)
    }

    @Test("a stranger's files are refused before they are read")
    func strangersFiles() async throws {
        let server = try await CuratorServer()
        let connection = try RawConnection(port: server.port)
        // Only the head: who waits for the body waits for ever.
        let response = try await connection.ask(
            "/media", method: "POST",
            fields: [
                "Host: localhost", "Content-Type: multipart/form-data; boundary=XX", "Content-Length: 1000000",
            ])
        #expect(response.status == 401)
    }

    @Test("what is too old goes by itself, and so do files that nothing needs")
    func upkeep() async throws {
        let server = try await CuratorServer()
        let (store, now) = (server.store, server.clock.now)
        try await store.createAccount("ana", role: .editor, password: nil, at: now)
        let session = try await store.beginSession(of: "ana", address: "::1", at: now)
        let beacon = try await store.save(.beacon(BeaconDocument()), as: nil, over: nil, by: Author("ana"), at: now)
        try await store.delete(beacon.id, by: Author("ana"), at: now)
        // A clock that is suddenly so far ahead is believed after a day.
        server.clock.advance(400 * 86_400)
        let upkeep = MediaUpkeep(server.services)
        await upkeep.sweep()
        for hour in 1...24 {
            #expect(try await store.bin(limit: 10, offset: 0).total == 1, "after \(hour - 1) h")
            server.clock.advance(3600)
            await upkeep.sweep()
        }
        #expect(try await store.bin(limit: 10, offset: 0).total == 0)
        #expect(try await store.session(session.secret, at: now) == nil)
    }

    @Test("a server that rests and is started anew each day removes what is too old all the same")
    func restarts() async throws {
        let server = try await CuratorServer()
        let (store, ana) = (server.store, Author("ana"))
        let beacon = try await store.save(
            .beacon(BeaconDocument()), as: nil, over: nil, by: ana, at: server.clock.now)
        try await store.delete(beacon.id, by: ana, at: server.clock.now)
        for day in 1...91 {
            server.clock.advance(86_400)
            await MediaUpkeep(server.services).sweep()
            guard day < 90 else { continue }
            #expect(try await store.bin(limit: 10, offset: 0).total == 1, "day \(day)")
        }
        #expect(try await store.bin(limit: 10, offset: 0).total == 0)
        // A clock that was trusted does not vouch for one that is far ahead of it.
        let other = try await store.save(
            .beacon(BeaconDocument()), as: nil, over: nil, by: ana, at: server.clock.now)
        try await store.delete(other.id, by: ana, at: server.clock.now)
        server.clock.advance(400 * 86_400)
        for _ in 0..<3 { await MediaUpkeep(server.services).sweep() }
        #expect(try await store.bin(limit: 10, offset: 0).total == 1)
    }

    @Test("a clock that is far ahead for a while costs nothing of the bin, of its files or of older versions")
    func clockAhead() async throws {
        let server = try await CuratorServer()
        let (store, media, ana) = (server.store, server.services.media, Author("ana"))
        let start = server.clock.now
        let file = try await media.add(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".utf8), name: "a.vtt")
        var times = [
            timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0), timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0),
        ]
        #expect(utimensat(AT_FDCWD, media.path(of: file.hash), &times, 0) == 0)
        let unneeded = try await media.add(
            Array("WEBVTT\n\n00:01.000 --> 00:02.000\nBye\n".utf8), name: "b.vtt")
        #expect(utimensat(AT_FDCWD, media.path(of: unneeded.hash), &times, 0) == 0)
        let binned = try await store.save(.media(file), as: nil, over: nil, by: ana, at: start)
        try await store.delete(binned.id, by: ana, at: start)
        var body = BeaconDocument()
        body.name = LocalizedText("Squid", in: .english)
        let beacon = try await store.save(.beacon(body), as: nil, over: nil, by: ana, at: start)
        server.clock.advance(86_400)
        // The bin is kept for 90 days, and versions for ten years.
        for days in [400.0, 5000] {
            server.clock.advance(days * 86_400)
            await MediaUpkeep(server.services).sweep()
            // What is written by the wrong clock does not prove it after a restart.
            body.name = LocalizedText("Whale, \(days)", in: .english)
            let version = try await store.document(beacon.id).version
            _ = try await store.save(.beacon(body), as: beacon.id, over: version, by: ana, at: server.clock.now)
            let upkeep = MediaUpkeep(server.services)
            await upkeep.sweep()
            server.clock.advance(3600)
            await upkeep.sweep()
            server.clock.advance(-3600 - days * 86_400)
            await upkeep.sweep()
        }
        #expect(try await store.bin(limit: 10, offset: 0).total == 1)
        _ = try await store.restore(binned.id, by: ana, at: server.clock.now)
        #expect(media.size(of: file.hash) == file.bytes)
        #expect(try await store.version(of: beacon.id, 1).beacon?.name[.english] == "Squid")
        // The clock is right again, and what nothing needs goes.
        #expect(media.size(of: unneeded.hash) == nil)
    }

    @Test("files that a server which was killed has left are removed at the start")
    func leftFiles() async throws {
        let server = try await CuratorServer()
        let media = server.services.media
        let left = try await media.add(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".utf8), name: "a.vtt")
        var times = [
            timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0), timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0),
        ]
        #expect(utimensat(AT_FDCWD, media.path(of: left.hash), &times, 0) == 0)
        let upkeep = Task { await MediaUpkeep(server.services).run() }
        try await waitUntil("the file is gone") { media.size(of: left.hash) == nil }
        upkeep.cancel()
        await upkeep.value
    }
}

@Suite("The administrators' settings and bin", .timeLimit(.minutes(10)))
struct AdministratorTests {
    enum Way: CaseIterable {
        case page, api
    }

    @Test("settings are set back by administrators only", arguments: Way.allCases, Account.Role.allCases)
    func undo(way: Way, role: Account.Role) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", role)
        let (cookie, csrf) = try await server.signIn("ana")
        let site = try await server.store.site()
        var body = try #require(site.document.site)
        body.title = "Hall of whales"
        _ = try await server.store.save(
            .site(body), as: .site, over: site.version, by: Author("eva"), at: server.clock.now)
        let change = try #require(try await server.store.changes(ChangeQuery(document: .site, limit: 1)).first?.number)
        let may = role == .administrator
        switch way {
        case .page:
            let status = try await server.post("/history/\(change)/undo", [("csrf", csrf)], cookie: cookie).status
            #expect(status == (may ? 303 : 403))
        case .api:
            let scopes: Set<APIToken.Scope> =
                switch role {
                case .viewer: [.read]
                case .editor: [.edit, .publish]
                case .administrator: [.admin]
                }
            let token = try await server.token(scopes)
            #expect(try await server.api("POST", "/changes/\(change)/undo", token).status == (may ? 200 : 403))
        }
        let title = try await server.store.site().document.site?.title
        #expect((title == "Hall of whales") == !may)
    }

    @Test("the bin is emptied by administrators only, and only they see the button", arguments: Account.Role.allCases)
    func bin(role: Account.Role) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", role)
        let (cookie, csrf) = try await server.signIn("ana")
        let beacon = try await server.store.save(
            .beacon(BeaconDocument()), as: nil, over: nil, by: Author("eva"), at: server.clock.now)
        try await server.store.delete(beacon.id, by: Author("eva"), at: server.clock.now)
        let page = try await server.ask("/bin", ["Cookie: \(cookie)"]).text
        #expect(page.contains("action=\"/bin/empty\"") == (role == .administrator))
        let status = try await server.post("/bin/empty", [("csrf", csrf)], cookie: cookie).status
        #expect(status == (role == .administrator ? 303 : 403))
        #expect(try await server.store.bin(limit: 10, offset: 0).total == (role == .administrator ? 0 : 1))
    }

    @Test("viewers see no preview, which they cannot open", arguments: Account.Role.allCases)
    func preview(role: Account.Role) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", role)
        let cookie = try await server.signIn("ana").cookie
        let beacon = try await server.store.save(
            .beacon(BeaconDocument()), as: nil, over: nil, by: Author("eva"), at: server.clock.now)
        for path in ["/publish", "/beacons/\(beacon.id)"] {
            let page = try await server.ask(path, ["Cookie: \(cookie)"])
            #expect(page.status == 200 && page.text.contains("href=\"/preview") == (role >= .editor), "\(path)")
        }
    }
}
