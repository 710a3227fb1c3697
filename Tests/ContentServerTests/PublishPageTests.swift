import Beacon
import ContentServer
import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing

/// What the page Publish offers, and what it takes.
@Suite("The page Publish", .timeLimit(.minutes(10)))
struct PublishPageTests {
    private static func media(_ number: Int) -> Document {
        let bytes = Array("\(number)".utf8)
        var body = MediaDocument(hash: AssetHash(of: bytes), bytes: Int64(bytes.count), mediaType: "image/png")
        body.name = "picture \(number)"
        return .media(body)
    }

    private func save(_ document: Document, _ server: CuratorServer) async throws -> DocumentID {
        try await server.store.save(document, as: nil, over: nil, by: Author("ana"), at: server.clock.now).id
    }

    @Test("shows what the gate finds in an image whose picture is removed, with a link to the image")
    func removedPicture() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let picture = try await save(Self.media(1), server)
        var body = ImageDocument()
        body.title = LocalizedText("Whale", in: .english)
        body.widthCm = 20
        body.picture = PictureUse(picture)
        let image = try await save(.image(body), server)
        try await server.services.publisher.publish(by: Author("ana"))
        #expect(try await PublishCheck(server.store).findings.isEmpty)
        try await server.store.delete(picture, by: Author("ana"), at: server.clock.now)
        #expect(try await Set(PublishCheck(server.store).findings.map(\.document)) == [image])
        #expect(try await Set(PublishCheck(server.store, [picture]).findings.map(\.document)) == [image])
        #expect(try await PublishCheck(server.store, []).findings.isEmpty)
        #expect(try await server.ask("/publish", ["Cookie: \(cookie)"]).text.contains("href=\"/images/\(image)"))
    }

    @Test("says how many changes it does not show")
    func unlisted() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        var documents: [DocumentID: Document] = [:]
        for _ in 0..<1002 { documents[.random()] = .beacon(BeaconDocument()) }
        try await server.store.save(all: documents, by: Author("ben"), at: server.clock.now)
        let page = try await server.ask("/publish", ["Cookie: \(cookie)"]).text
        let boxes = page.matches(of: /name="select"/).count
        #expect(boxes == 1000)
        #expect(page.contains("2 more changes are not shown."))
    }

    @Test("offers what was deleted for good as a removal, which can be chosen")
    func goneForGood() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let picture = try await save(Self.media(1), server)
        try await server.services.publisher.publish(by: Author("ana"))
        try await server.store.delete(picture, by: Author("ana"), at: server.clock.now)
        try await server.store.emptyBin(by: Author("ana"), at: server.clock.now)
        let page = try await server.ask("/publish", ["Cookie: \(cookie)"]).text
        #expect(page.contains("value=\"\(picture)\"") && page.contains("picture 1"))
        let response = try await server.post("/publish", [("csrf", csrf), ("select", picture.text)], cookie: cookie)
        #expect(response.status == 303)
        #expect(try await server.store.published(2)[picture] == nil)
        #expect(try await server.store.pending() == [])
    }

    @Test("publishes what was chosen and nothing else; changes that it has no room for go with all that are listed")
    func selection() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let all = Dictionary(uniqueKeysWithValues: (0..<1002).map { (DocumentID.random(), Self.media($0)) })
        try await server.store.save(all: all, by: Author("ana"), at: server.clock.now)
        let listed = try await server.store.pending().prefix(1000).map(\.id)
        let one = [("csrf", csrf), ("select", listed[0].text)]
        #expect(try await server.post("/publish", one, cookie: cookie).status == 303)
        #expect(try await Set(server.store.published(1).keys) == [listed[0]])
        let rest = try await server.store.pending().map(\.id)
        #expect(rest.count == 1001)
        let chosen = [("csrf", csrf)] + rest.prefix(1000).map { ("select", $0.text) }
        #expect(try await server.post("/publish", chosen, cookie: cookie).status == 303)
        #expect(try await server.store.published(2).count == 1002)
        #expect(try await server.post("/publish", [("csrf", csrf)], cookie: cookie).status == 422)
    }

    @Test("names the languages in which a text is missing")
    func missingLanguage() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        var site = SiteDocument()
        site.languages = [.english, try #require(Language("de"))]
        _ = try await server.store.save(.site(site), as: .site, over: 0, by: Author("ana"), at: server.clock.now)
        var body = BeaconDocument()
        body.name = LocalizedText("Whale", in: .english)
        _ = try await save(.beacon(body), server)
        let page = try await server.ask("/publish", ["Cookie: \(cookie)"]).text
        #expect(page.contains("There is no text in German"))
        // What must be mended is left out, and the page says so.
        #expect(page.contains("What they are about is not chosen below"))
    }

    @Test("tells findings that are alike in one line, with links to the first places of a document")
    func alikeInOneDocument() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        var gallery = ContentItem(id: .random(), side: .left, kind: .gallery)
        for number in 1...12 { gallery.pictures.append(PictureUse(try await save(Self.media(number), server))) }
        var body = ImageDocument()
        body.title = LocalizedText("Whale", in: .english)
        body.widthCm = 20
        body.picture = PictureUse(gallery.pictures[0].media)
        body.picture?.alt = LocalizedText("A whale", in: .english)
        body.contents = [gallery]
        let image = try await save(.image(body), server)
        let page = try await server.ask("/publish", ["Cookie: \(cookie)"]).text
        #expect(page.contains("12 warnings"))
        #expect(page.ranges(of: "12 pictures have no alternative text").count == 1)
        #expect(!page.contains("Describe the picture for people"))
        #expect(page.ranges(of: "href=\"/images/\(image)#side-left\"").count == 6)
        #expect(page.contains(">left: picture 1<") && page.contains(">left: picture 6<"))
        #expect(!page.contains("left: picture 7") && page.contains("and 6 more"))
    }

    @Test("tells findings that are alike in several documents once on top, with links to the documents")
    func alikeInSeveralDocuments() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let picture = try await save(Self.media(1), server)
        var images: [DocumentID] = []
        for name in ["Whale", "Squid", "Eel"] {
            var body = ImageDocument()
            body.title = LocalizedText(name, in: .english)
            body.picture = PictureUse(picture)
            images.append(try await save(.image(body), server))
        }
        let page = try await server.ask("/publish", ["Cookie: \(cookie)"]).text
        let form = try #require(page.firstRange(of: "<form method=\"post\" action=\"/publish\">"))
        let top = String(page[..<form.lowerBound])
        #expect(top.contains("3 × width in cm: This is needed:"))
        #expect(top.contains("3 pictures have no alternative text"))
        for image in images { #expect(top.contains("href=\"/images/\(image)#f-width_cm\"")) }
        // Each stands also with its own change.
        #expect(page.ranges(of: "width in cm: This is needed").count == 4)
    }

    @Test("looks at the drafts again only after something has changed")
    func kept() async throws {
        let server = try await CuratorServer()
        let picture = try await save(Self.media(1), server)
        let token = try await server.token([.read])
        let before = try await server.api("GET", "/pending", token).text
        #expect(try await server.api("GET", "/check", token).text.contains("\"findings\":[]"))
        var image = ImageDocument()
        image.picture = PictureUse(picture)
        _ = try await save(.image(image), server)
        #expect(try await server.api("GET", "/check", token).text.contains("\"code\":"))
        #expect(try await server.api("GET", "/pending", token).text != before)
    }

    @Test("says that devices hold a later revision, and publishes the current one again with one click")
    func ahead() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        _ = try await save(Self.media(1), server)
        try await server.services.publisher.publish(by: Author("ana"))
        let now = server.clock.now
        let before = Moment(now.time.advanced(bySeconds: -60))
        try await server.store.noteReport(
            DeviceReport(host: "hall", periodStart: before, periodEnd: now, revision: 57), at: now)
        for path in ["/publish", "/devices", "/revisions"] {
            let page = try await server.ask(path, ["Cookie: \(cookie)"]).text
            #expect(page.contains("revision 57") && page.contains("action=\"/revisions/1/roll-back\""), "\(path)")
        }
        let devices = try await server.api("GET", "/devices", try await server.token([.read])).text
        #expect(devices.contains("\"state\":\"ahead\""))
        #expect(try await server.post("/revisions/1/roll-back", [("csrf", csrf)], cookie: cookie).status == 303)
        #expect(try await server.ask("/v1/site.json")["revision"] == "58")
        for path in ["/publish", "/devices", "/revisions"] {
            #expect(try await !server.ask(path, ["Cookie: \(cookie)"]).text.contains("revision 57"), "\(path)")
        }
    }
}
