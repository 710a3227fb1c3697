import ContentServer
import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

@Suite("Two editors of one thing", .timeLimit(.minutes(10)))
struct TwoEditorsTests {
    /// A server, and a form of the signed-in administrator.
    private struct Bench {
        let server: CuratorServer
        let cookie: String
        let csrf: String

        init() async throws {
            server = try await CuratorServer()
            try await server.account("ana", .administrator)
            (cookie, csrf) = try await server.signIn("ana")
        }

        func send(_ path: String, _ values: [(String, String)]) async throws -> RawResponse {
            try await server.post(path, [("csrf", csrf)] + values, cookie: cookie)
        }

        func make(_ document: Document) async throws -> StoredDocument {
            try await server.store.save(document, as: nil, over: nil, by: Author("ben"), at: server.clock.now)
        }

        /// What somebody else saves meanwhile.
        func change(_ stored: StoredDocument, _ body: (inout Document) -> Void) async throws {
            var document = stored.document
            body(&document)
            _ = try await server.store.save(
                document, as: stored.id, over: stored.version, by: Author("ben"), at: server.clock.now)
        }
    }

    private func settings(_ change: [String: String], over version: Int64) -> [(String, String)] {
        let site = SiteDocument()
        let shown = [
            "title": "", "languages": "en", "maximum_images": "\(site.maximumImages)",
            "device_quota": "\(site.deviceQuota >> 20)",
        ]
        return shown.merging(change) { $1 }.map { ($0.key, $0.value) } + [("version", "\(version)")]
    }

    @Test("of the settings: what only one of them has changed is kept of both")
    func settingsMerged() async throws {
        let bench = try await Bench()
        let site = try await bench.server.store.site()
        try await bench.change(site) { $0 = .site(change(of: $0) { $0.title = "Theirs" }) }
        let answer = try await bench.send("/site", settings(["languages": "en\r\nde"], over: site.version))
        #expect(answer.status == 303, "\(answer.text.components(separatedBy: "main").dropFirst(2).first ?? "")")
        let saved = try await bench.server.store.site().document.site
        #expect(saved?.title == "Theirs" && saved?.languages.map(\.tag) == ["en", "de"])
    }

    @Test("of the settings: the same field shows what both wrote, and is saved only if it is sent again")
    func settingsRefused() async throws {
        let bench = try await Bench()
        let site = try await bench.server.store.site()
        try await bench.change(site) {
            $0 = .site(
                change(of: $0) {
                    $0.title = "Theirs"
                    $0.maximumImages = 12
                })
        }
        let answer = try await bench.send("/site", settings(["title": "Mine"], over: site.version))
        #expect(answer.status == 422)
        #expect(answer.text.contains("value=\"Mine\"") && answer.text.contains("<bdi>Theirs</bdi>"))
        let isMerged = answer.text.contains("name=\"maximum_images\" inputmode=\"numeric\" value=\"12\"")
        #expect(isMerged)
        #expect(try await bench.server.store.site().document.site?.title == "Theirs")
        let again = try await bench.server.store.site().version
        let values = settings(["title": "Mine", "maximum_images": "12"], over: again)
        #expect(try await bench.send("/site", values).status == 303)
        #expect(try await bench.server.store.site().document.site?.title == "Mine")
    }

    private func change(of document: Document, _ body: (inout SiteDocument) -> Void) -> SiteDocument {
        var site = document.site ?? SiteDocument()
        body(&site)
        return site
    }

    @Test("of an image: other fields are merged and saved at once, the same field is shown")
    func image() async throws {
        let bench = try await Bench()
        let stored = try await bench.make(.image(ImageDocument()))
        try await bench.change(stored) { document in
            var image = document.image ?? ImageDocument()
            image.category = "Theirs"
            document = .image(image)
        }
        let shown = [("title", "Mine"), ("category", ""), ("version", "\(stored.version)")]
        #expect(try await bench.send("/images/\(stored.id)", shown).status == 303)
        let saved = try await bench.server.store.document(stored.id).document.image
        #expect(saved?.title[.english] == "Mine" && saved?.category == "Theirs")
        let same = [("title", "Mine"), ("category", "Mine"), ("version", "\(stored.version)")]
        let refused = try await bench.send("/images/\(stored.id)", same)
        #expect(refused.status == 422 && refused.text.contains("<bdi>Theirs</bdi>"))
    }

    @Test("of a beacon: numbers are never put together from what two have written")
    func identity() async throws {
        let bench = try await Bench()
        var before = BeaconDocument()
        (before.major, before.minor) = (1, 1)
        let stored = try await bench.make(.beacon(before))
        try await bench.change(stored) { document in
            var beacon = before
            beacon.major = 2
            document = .beacon(beacon)
        }
        let mine = [("major", "1"), ("minor", "7"), ("version", "\(stored.version)")]
        let refused = try await bench.send("/beacons/\(stored.id)", mine)
        #expect(refused.status == 422 && refused.text.contains("<bdi>2</bdi>"))
        let saved = try await bench.server.store.document(stored.id).document.beacon
        #expect(saved?.major == 2 && saved?.minor == 1)
    }

    @Test("of an image: a form whose version is not kept shows all that differs, and saves nothing")
    func unknownBase() async throws {
        let bench = try await Bench()
        let stored = try await bench.make(.image(ImageDocument()))
        try await bench.change(stored) { document in
            var image = ImageDocument()
            image.category = "Theirs"
            document = .image(image)
        }
        let answer = try await bench.send(
            "/images/\(stored.id)", [("title", "Mine"), ("category", "Mine"), ("version", "900")])
        #expect(answer.status == 422 && answer.text.contains("<bdi>Theirs</bdi>"))
        #expect(try await bench.server.store.document(stored.id).document.image?.category == "Theirs")
    }

    /// What one curator has put on a side of an image that another one has open.
    private func filled(_ stored: StoredDocument, _ kind: ContentItem.Kind, _ bench: Bench) async throws {
        let now = try await bench.server.store.document(stored.id)
        try await bench.change(now) { document in
            var image = document.image ?? ImageDocument()
            image[.top] = ContentItem(id: .random(), side: .top, kind: kind)
            image[.top]?.coordinates = Coordinates(latitude: 48.2, longitude: 16.3)
            document = .image(image)
        }
    }

    @Test("of a side: what somebody else has put there is not removed by a form that did not show it")
    func removal() async throws {
        let bench = try await Bench()
        let stored = try await bench.make(.image(ImageDocument()))
        try await filled(stored, .map, bench)
        let path = "/images/\(stored.id)/contents/top"
        // A new content is refused there, and its form offers no removal of the other one.
        let refused = try await bench.send(
            path, [("kind", "map"), ("coordinates", "1, 2"), ("version", "\(stored.version)")])
        #expect(refused.status == 422 && !refused.text.contains("contents/top/delete"))
        let seen = try await bench.server.store.document(stored.id).version
        try await filled(stored, .map, bench)
        let kept = try await bench.send("\(path)/delete", [("version", "\(seen)")])
        #expect(kept.status == 422 && kept.text.contains("look at it before you remove it"))
        let now = try await bench.server.store.document(stored.id)
        #expect(now.document.image?[.top] != nil)
        #expect(try await bench.send("\(path)/delete", [("version", "\(now.version)")]).status == 303)
        #expect(try await bench.server.store.document(stored.id).document.image?[.top] == nil)
    }

    @Test("of a beacon: it is not deleted with what somebody else has saved, or put there, since it was shown")
    func deletion() async throws {
        let bench = try await Bench()
        let stored = try await bench.make(.beacon(BeaconDocument()))
        var image = ImageDocument()
        image.beacon = stored.id
        _ = try await bench.make(.image(image))
        let path = "/beacons/\(stored.id)/delete"
        for seen in [[("version", "\(stored.version)"), ("seen", "0")], [("version", "99"), ("seen", "1")]] {
            let answer = try await bench.send(path, seen)
            #expect(answer.status == 409 && answer.text.contains("look at it before you remove it"))
        }
        #expect(try await bench.server.store.document(stored.id).isDeleted == false)
        #expect(try await bench.send(path, [("version", "\(stored.version)"), ("seen", "1")]).status == 303)
        #expect(try await bench.server.store.document(stored.id).isDeleted)
    }

    @Test("of what one of them has deleted: the other one is told that it lies in the bin")
    func deleted() async throws {
        let bench = try await Bench()
        let stored = try await bench.make(.image(ImageDocument()))
        try await bench.server.store.delete(stored.id, by: Author("ben"), at: bench.server.clock.now)
        let answer = try await bench.send("/images/\(stored.id)", [("title", "Mine"), ("version", "\(stored.version)")])
        #expect(answer.status == 422 && answer.text.contains("value=\"Mine\""))
        #expect(answer.text.contains("This lies in the bin") && answer.text.contains("<bdi>ben</bdi>"))
    }

    @Test("of an image: a moment in another way of writing is no change")
    func moments() async throws {
        let bench = try await Bench()
        var before = ImageDocument()
        before.validFrom = Moment("2026-05-01T08:00:00Z")
        let stored = try await bench.make(.image(before))
        try await bench.change(stored) { document in
            var image = before
            image.validFrom = Moment("2026-06-01T08:00:00Z")
            document = .image(image)
        }
        let mine = [("title", "Mine"), ("valid_from", "2026-05-01T08:00:00.000Z"), ("version", "\(stored.version)")]
        #expect(try await bench.send("/images/\(stored.id)", mine).status == 303)
        let saved = try await bench.server.store.document(stored.id).document.image
        #expect(saved?.title[.english] == "Mine" && saved?.validFrom == Moment("2026-06-01T08:00:00Z"))
    }

    @Test("of a side: a new content never takes the place of another new one, and an edited one comes back")
    func sides() async throws {
        let bench = try await Bench()
        var before = ImageDocument()
        before[.top] = item(.top, "Old")
        let stored = try await bench.make(.image(before))
        try await bench.change(stored) { document in
            var image = before
            image[.top] = nil
            image[.left] = item(.left, "Theirs")
            document = .image(image)
        }
        let new = [
            ("kind", "video"), ("side", "left"), ("label", "Mine"), ("video_url", "https://example.org/b.mp4"),
            ("version", "\(stored.version)"),
        ]
        #expect(try await bench.send("/images/\(stored.id)/contents/left", new).status == 422)
        let edited = [
            ("kind", "video"), ("side", "top"), ("label", "Mine"), ("video_url", "https://example.org/Old.mp4"),
            ("version", "\(stored.version)"),
        ]
        #expect(try await bench.send("/images/\(stored.id)/contents/top", edited).status == 303)
        let saved = try await bench.server.store.document(stored.id).document.image
        #expect(saved?[.left]?.label[.english] == "Theirs")
        #expect(saved?[.top]?.label[.english] == "Mine" && saved?[.top]?.videoURL == "https://example.org/Old.mp4")
    }

    private func item(_ side: ContentItem.Side, _ label: String) -> ContentItem {
        var item = ContentItem(id: .random(), side: side, kind: .video)
        item.label = LocalizedText(label, in: .english)
        item.videoURL = "https://example.org/\(label).mp4"
        return item
    }

    @Test("of a plan: a beacon that only the other one has moved stays there")
    func places() async throws {
        let bench = try await Bench()
        let plan = try await bench.make(.plan(PlanDocument()))
        var body = BeaconDocument()
        body.plan = plan.id
        body.place = PlanPoint(x: 0.1, y: 0.2)
        let beacon = try await bench.make(.beacon(body))
        body.place = PlanPoint(x: 0.5, y: 0.6)
        try await bench.change(beacon) { [body] in $0 = .beacon(body) }
        func send(_ x: String, seen: String) async throws -> RawResponse {
            try await bench.send(
                "/plans/\(plan.id)/places",
                [("place.\(beacon.id).x", x), ("place.\(beacon.id).y", "20"), ("seen.\(beacon.id)", seen)])
        }
        #expect(try await send("10", seen: "10 20").status == 303)
        #expect(try await bench.server.store.document(beacon.id).document.beacon?.place == body.place)
        let refused = try await send("30", seen: "10 20")
        #expect(refused.status == 422 && refused.text.contains("<bdi>50 60</bdi>"))
        #expect(try await send("30", seen: "50 60").status == 303)
        #expect(try await bench.server.store.document(beacon.id).document.beacon?.place == PlanPoint(x: 0.3, y: 0.2))
    }
}
