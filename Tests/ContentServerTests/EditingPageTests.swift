import ContentServer
import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing

@Suite("Pages of content", .timeLimit(.minutes(10)))
struct EditingPageTests {
    /// A server, and an editor who is signed in.
    private struct Bench {
        let server: CuratorServer
        let cookie: String
        let csrf: String

        init() async throws {
            server = try await CuratorServer()
            try await server.account("ana", .editor)
            (cookie, csrf) = try await server.signIn("ana")
        }

        func get(_ path: String) async throws -> RawResponse { try await server.ask(path, ["Cookie: \(cookie)"]) }

        func send(_ path: String, _ values: [(String, String)]) async throws -> RawResponse {
            try await server.post(path, [("csrf", csrf)] + values, cookie: cookie)
        }

        /// What another editor has made.
        func make(_ document: Document) async throws -> StoredDocument {
            try await server.store.save(document, as: nil, over: nil, by: Author("ben"), at: server.clock.now)
        }

        func change(_ stored: StoredDocument, to document: Document) async throws -> StoredDocument {
            try await server.store.save(
                document, as: stored.id, over: stored.version, by: Author("ben"), at: server.clock.now)
        }

        func setLanguages(_ tags: [String]) async throws {
            let stored = try await server.store.site()
            var site = stored.document.site ?? SiteDocument()
            site.languages = tags.compactMap(Language.init)
            _ = try await server.store.save(
                .site(site), as: .site, over: stored.version, by: Author("eva"), at: server.clock.now)
        }

        /// A device receives a beacon that nobody has named.
        func report() async throws {
            let token = try await server.token([.report])
            let body = """
                {"format":1,"host":"hall-1","version":"0.1.0","revision":3,"complete":true,"missing":0,\
                "problems":[],"scanner":"ok","period_start":"2026-05-28T20:25:00Z",\
                "period_end":"2026-05-28T20:26:00Z","beacons":[{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5",\
                "major":7,"minor":1,"rssi":-60}],"dwell":[]}
                """
            let answer = try await server.ask(
                "/v1/reports", method: "POST", ["Content-Type: application/json", "Authorization: Bearer \(token)"],
                body: body)
            #expect(answer.status == 204)
        }
    }

    private static let long = String(repeating: "a", count: 100_000)

    private func picture(_ number: UInt8) -> Document {
        var media = MediaDocument(hash: AssetHash(of: [number]), bytes: 1, mediaType: "image/png")
        media.name = "picture-\(number)"
        return .media(media)
    }

    /// The places to which the list of mistakes leads, and those of them that the page has.
    private func places(_ page: String) -> (wanted: [String], missing: [String]) {
        let wanted = page.matches(of: /<li><a href="#([^"]+)">/).map { String($0.output.1) }
        return (wanted, wanted.filter { !page.contains("id=\"\($0)\"") })
    }

    @Test("add the beacon that was typed when Enter is pressed, and not one that devices receive")
    func enter() async throws {
        let bench = try await Bench()
        try await bench.report()
        let page = try await bench.get("/beacons/new").text
        let form = page.split(separator: "id=\"add\"").dropFirst().first ?? ""
        // The first button of a form is pressed by Enter.
        let first = form.split(separator: "<button").dropFirst().first ?? ""
        #expect(form.contains("name=\"pick\""))
        #expect(first.hasPrefix(" class=\"default-button\""))
    }

    @Test("keep the beacon that was taken from what devices receive if the form is refused")
    func picked() async throws {
        let bench = try await Bench()
        let identity = "636F3F8F-6491-4BEE-95F7-D8CC64A863B5/7/1"
        let answer = try await bench.send("/beacons", [("name", Self.long), ("uuid", ""), ("pick", identity)])
        #expect(answer.status == 422 && answer.text.contains("value=\"\(identity)\""))
    }

    @Test("ask for whole and decimal numbers with the keyboards of phones for them")
    func keyboards() async throws {
        let bench = try await Bench()
        let beacon = try await bench.get("/beacons/new").text
        let (whole, decimal) = (/name="major" [^>]*inputmode="numeric"/, /name="width_cm" [^>]*inputmode="decimal"/)
        let words = /name="title" [^>]*inputmode/
        let asksForWhole = beacon.contains(whole)
        #expect(asksForWhole)
        let image = try await bench.make(.image(ImageDocument()))
        let page = try await bench.get("/images/\(image.id)").text
        let (asksForDecimal, asksForTitle) = (page.contains(decimal), page.contains(words))
        #expect(asksForDecimal && !asksForTitle)
    }

    @Test("name the pictures for which a beacon has no room, and make images of the others")
    func room() async throws {
        let bench = try await Bench()
        let settings = try await bench.server.store.site()
        var site = settings.document.site ?? SiteDocument()
        site.maximumImages = 1
        _ = try await bench.change(settings, to: .site(site))
        let beacon = try await bench.make(.beacon(BeaconDocument()))
        var chosen: [(String, String)] = []
        for number: UInt8 in 1...3 { chosen.append(("media", try await bench.make(picture(number)).id.text)) }
        let answer = try await bench.send("/beacons/\(beacon.id)/images", chosen)
        #expect(answer.status == 422)
        #expect(answer.text.contains("picture-2, picture-3: A beacon has at most 1 images"))
        #expect(try await bench.server.store.images(of: beacon.id).count == 1)
    }

    @Test("take more files in one form than may arrive at the same time")
    func manyFiles() async throws {
        let bench = try await Bench()
        func part(_ head: String, _ body: String) -> String {
            "--XX\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(body)\r\n"
        }
        var body = part("name=\"csrf\"", bench.csrf)
        for number in 0..<20 {
            let captions = "WEBVTT\n\n00:01.000 --> 00:02.000\nWhale \(number)\n"
            body += part("name=\"files\"; filename=\"\(number).vtt\"", captions)
        }
        let answer = try await bench.server.ask(
            "/media", method: "POST",
            ["Cookie: \(bench.cookie)", "Content-Type: multipart/form-data; boundary=XX"], body: body + "--XX--\r\n")
        #expect(answer.status == 303, "\(answer.text)")
    }

    @Test("search in the direction of what is typed", arguments: ["/beacons", "/media", "/media/pick?kind=picture"])
    func direction(_ path: String) async throws {
        let bench = try await Bench()
        _ = try await bench.make(.beacon(BeaconDocument()))
        _ = try await bench.make(picture(1))
        let page = try await bench.get(path).text
        let fields = page.matches(of: /<input [^>]*type="search"[^>]*>/).map { String($0.output) }
        #expect(fields.count == 2)
        #expect(fields.allSatisfy { $0.contains("dir=\"auto\"") }, "\(fields)")
    }

    @Test("lead to the sides of an image in the language in which it is shown")
    func sides() async throws {
        let bench = try await Bench()
        try await bench.setLanguages(["en", "de"])
        var body = ImageDocument()
        body[.top] = ContentItem(id: .random(), side: .top, kind: .map)
        let image = try await bench.make(.image(body))
        let path = "/images/\(image.id)"
        func links(_ query: String) async throws -> Set<String> {
            let page = try await bench.get(path + query).text.replacing("&amp;", with: "&")
            return Set(page.matches(of: /href="([^"]*)" data-dialog/).map { String($0.output.1) })
        }
        let german = try await links("?language=de")
        #expect(german.contains("\(path)/contents/top?language=de"))
        #expect(german.contains("\(path)/contents/left?kind=gallery&language=de"))
        let english = try await links("")
        #expect(english.contains("\(path)/contents/top") && english.contains("\(path)/contents/left?kind=gallery"))
    }

    @Test("lead to the same form in other languages, whatever came back")
    func languages() async throws {
        let bench = try await Bench()
        try await bench.setLanguages(["en", "de"])
        let seen = try await bench.make(.image(ImageDocument()))
        var body = ImageDocument()
        body[.left] = ContentItem(id: .random(), side: .left, kind: .map)
        body.page = FullPage()
        body.page?.title = LocalizedText("Whale", in: .english)
        _ = try await bench.change(seen, to: .image(body))
        let plan = try await bench.make(.plan(PlanDocument()))
        let beacon = try await bench.make(.beacon(BeaconDocument()))
        let version = [("version", "\(seen.version)")]
        let place = [("place.\(beacon.id).x", "far"), ("place.\(beacon.id).y", "0")]
        let requests: [(String, [(String, String)])] = [
            ("/images/\(seen.id)/contents/left/delete", version), ("/images/\(seen.id)/page/delete", version),
            ("/images/\(seen.id)/copy", [("to", "no-such-beacon")]), ("/plans/\(plan.id)/places", place),
        ]
        for (path, values) in requests {
            let answer = try await bench.send(path, values)
            #expect(answer.status == 422, "\(path)")
            let links = answer.text.matches(of: /href="([^"]*\?language=[a-z]+)"/).map { String($0.output.1) }
            #expect(links.count >= 2, "\(path)")
            for link in links { #expect(try await bench.get(link).status == 200, "\(path): \(link)") }
        }
    }

    @Test("keep a plan that lies in the bin, and that other changes do not take from a beacon")
    func plan() async throws {
        let bench = try await Bench()
        let plan = try await bench.make(.plan(PlanDocument()))
        var body = BeaconDocument()
        body.plan = plan.id
        body.place = PlanPoint(x: 0.5, y: 0.5)
        let beacon = try await bench.make(.beacon(body))
        try await bench.server.store.delete(plan.id, by: Author("ben"), at: bench.server.clock.now)
        let page = try await bench.get("/beacons/\(beacon.id)").text
        #expect(page.contains("<option value=\"\(plan.id)\" selected>"))
        let values = [
            ("name", "Hall"), ("plan", plan.id.text), ("place.x", "50"), ("place.y", "50"),
            ("version", "\(beacon.version)"),
        ]
        #expect(try await bench.send("/beacons/\(beacon.id)", values).status == 303)
        #expect(try await bench.server.store.document(beacon.id).document.beacon?.plan == plan.id)
    }

    @Test("keep the picture of a plan that is refused, also one that was not changed lately")
    func planPicture() async throws {
        let bench = try await Bench()
        let old = try await bench.make(picture(0))
        bench.server.clock.advance(60)
        for number in 1...61 { _ = try await bench.make(picture(UInt8(number))) }
        let plan = try await bench.make(.plan(PlanDocument()))
        for path in ["/plans", "/plans/\(plan.id)"] {
            let answer = try await bench.send(
                path, [("picture", old.id.text), ("width_m", "wide"), ("version", "\(plan.version)")])
            #expect(answer.status == 422, "\(path)")
            let picture = "/pictures/\(AssetHash(of: [0]))/320"
            let option = "<option value=\"\(old.id)\" data-picture=\"\(picture)\" selected>"
            #expect(answer.text.contains(option), "\(path)")
        }
    }

    @Test("have the picture of a chosen file before scripts run, and a word where no file is chosen")
    func chosenFile() async throws {
        let bench = try await Bench()
        let media = try await bench.make(picture(1))
        var image = ImageDocument()
        let empty = try await bench.make(.image(image))
        image.picture = PictureUse(media.id)
        let filled = try await bench.make(.image(image))
        let name = "id=\"f-picture_media-name\""
        let without = try await bench.get("/images/\(empty.id)").text
        #expect(without.contains("<div class=\"media-shown\"><span class=\"muted\" \(name)>none</span></div>"))
        let with = try await bench.get("/images/\(filled.id)").text
        let shown = "<img src=\"/pictures/\(AssetHash(of: [1]))/320\" alt=\"\"><bdi \(name)>picture-1</bdi>"
        #expect(with.contains("<div class=\"media-shown\">\(shown)</div>"))
        // The others are for sound and sign language. Only what is chosen can be removed.
        let hidden = [without, with].map { $0.matches(of: /data-clear-file hidden/).count }
        #expect(hidden == [3, 2])
    }

    @Test("show a plan's own beacons also where there are too many without a plan")
    func manyBeacons() async throws {
        let bench = try await Bench()
        let plan = try await bench.make(.plan(PlanDocument()))
        var documents: [DocumentID: Document] = [:]
        for number in 0..<1000 {
            var beacon = BeaconDocument()
            beacon.name = LocalizedText("Beacon \(number)", in: .english)
            documents[.random()] = .beacon(beacon)
        }
        try await bench.server.store.save(all: documents, by: Author("ben"), at: bench.server.clock.now)
        var own = BeaconDocument()
        own.name = LocalizedText("Zebra", in: .english)
        own.plan = plan.id
        own.place = PlanPoint(x: 0.5, y: 0.5)
        let last = try await bench.make(.beacon(own))
        #expect(try await bench.get("/plans/\(plan.id)").text.contains("name=\"place.\(last.id).x\""))
        let values = [
            ("place.\(last.id).x", "60"), ("place.\(last.id).y", "50"), ("seen.\(last.id)", "50 50"),
        ]
        #expect(try await bench.send("/plans/\(plan.id)/places", values).status == 303)
        #expect(try await bench.server.store.document(last.id).document.beacon?.place == PlanPoint(x: 0.6, y: 0.5))
    }

    @Test("list plans on several pages, and say where a page behind the last one is")
    func pages() async throws {
        let bench = try await Bench()
        for number in 1...61 {
            var plan = PlanDocument()
            plan.name = LocalizedText("Floor \(number)", in: .english)
            _ = try await bench.make(.plan(plan))
        }
        let first = try await bench.get("/plans").text
        #expect(first.contains("1–60 of 61") && first.contains("href=\"/plans?offset=60\""))
        let second = try await bench.get("/plans?offset=60").text
        #expect(second.contains("61–61 of 61") && second.contains("href=\"/plans?offset=0\""))
        let behind = try await bench.get("/plans?offset=1000").text
        #expect(behind.contains("61–61 of 61") && behind.contains("href=\"/plans?offset=1\""))
    }

    @Test("change the seconds of a time only if the time is changed")
    func seconds() async throws {
        let bench = try await Bench()
        var body = ImageDocument()
        body.validFrom = Moment("2026-05-01T08:00:30Z")
        body.validUntil = Moment("2026-06-01T08:00:30Z")
        let image = try await bench.make(.image(body))
        let values = [
            ("title", "Whale"), ("valid_from", "2026-05-01T08:00:00.000Z"), ("valid_until", "2026-06-01T09:00"),
            ("version", "\(image.version)"),
        ]
        #expect(try await bench.send("/images/\(image.id)", values).status == 303)
        let saved = try await bench.server.store.document(image.id).document.image
        #expect(saved?.validFrom == body.validFrom)
        #expect(saved?.validUntil == Moment("2026-06-01T09:00:00Z"))
    }

    @Test("offer to undo what was done just now, and not what was done before if nothing was changed")
    func undo() async throws {
        let bench = try await Bench()
        let beacon = try await bench.make(.beacon(BeaconDocument()))
        func save(_ name: String) async throws -> String {
            bench.server.clock.advance(1)
            let version = try await bench.server.store.document(beacon.id).version
            let answer = try await bench.send("/beacons/\(beacon.id)", [("name", name), ("version", "\(version)")])
            return answer.fields["location"] ?? ""
        }
        let unchanged = try await save("")
        #expect(unchanged.contains("done=saved") && !unchanged.contains("undo="))
        #expect(try await save("Hall").contains("undo="))
        #expect(try await !save("Hall").contains("undo="))
    }

    @Test("lead from each mistake to its field")
    func mistakes() async throws {
        let bench = try await Bench()
        let image = try await bench.make(.image(ImageDocument()))
        let media = try await bench.make(picture(1))
        let side = "/images/\(image.id)/contents/left"
        let rows = [
            ("pictures", ""), ("pictures.0.media", media.id.text), ("pictures.1.media", media.id.text),
            ("pictures.1.alt", Self.long),
        ]
        let quotes = PageText.mostLevels + 1
        let opened = String(repeating: #"{"type":"blockquote","content":["#, count: quotes)
        let closed = String(repeating: "]}", count: quotes)
        let paragraph = #"{"type":"paragraph","content":[{"type":"text","text":"a"}]}"#
        let json = #"{"type":"doc","content":[\#(opened)\#(paragraph)\#(closed)]}"#
        let alt = String(repeating: "a", count: 1001)
        let node = #"{"type":"picture","attrs":{"media":"\#(media.id)","alt":"\#(alt)"}}"#
        let forms: [(String, [(String, String)], [String])] = [
            (side, [("kind", "song")], ["f-kind"]),
            (side, [("kind", "image")] + rows, ["f-pictures", "f-pictures_1_alt"]),
            (side, [("kind", "gallery"), ("pictures", ""), ("pictures.0.media", "A B")], ["f-pictures_0_media"]),
            ("/images/\(image.id)/page", [("title", "Whale"), ("body_json", json)], ["f-body"]),
            ("/images/\(image.id)/page", [("body_json", #"{"type":"doc","content":[\#(node)]}"#)], ["f-body"]),
        ]
        for (path, values, expected) in forms {
            let answer = try await bench.send(path, [("version", "\(image.version)")] + values)
            #expect(answer.status == 422, "\(path) \(expected)")
            let (wanted, missing) = places(answer.text)
            #expect(wanted == expected && missing == [], "\(path)")
        }
    }

    @Test("of a plan say which beacon's place is refused, and open what is folded")
    func planMistakes() async throws {
        let bench = try await Bench()
        let plan = try await bench.make(.plan(PlanDocument()))
        var body = BeaconDocument()
        body.name = LocalizedText("Blue whale", in: .english)
        let beacon = try await bench.make(.beacon(body))
        let refused = try await bench.send(
            "/plans/\(plan.id)/places",
            [("place.\(beacon.id).x", "far"), ("place.\(beacon.id).y", "0"), ("seen.\(beacon.id)", " ")])
        #expect(refused.status == 422)
        #expect(refused.text.contains("<a href=\"#f-place_\(beacon.id)_x\">Blue whale: "))
        #expect(places(refused.text).missing == [])
        let details = try await bench.send(
            "/plans/\(plan.id)", [("width_m", "wide"), ("version", "\(plan.version)")])
        #expect(details.status == 422 && details.text.contains("<details class=\"card\" open>"))
        #expect(places(details.text).wanted == ["f-width_m"])
        #expect(try await !bench.get("/plans/\(plan.id)").text.contains("<details class=\"card\" open>"))
    }

    @Test("of a file say how many documents use it, and how many are not shown; a part of it replaces it in all")
    func uses() async throws {
        let bench = try await Bench()
        var file = MediaDocument(hash: AssetHash(of: [1]), bytes: 1, mediaType: "image/png")
        (file.width, file.height) = (400, 300)
        let media = try await bench.make(.media(file))
        var images: [DocumentID: Document] = [:]
        for number in 1...503 {
            var image = ImageDocument()
            image.title = LocalizedText("image \(number)", in: .english)
            image.picture = PictureUse(media.id)
            // Used twice by one document.
            var content = ContentItem(id: .random(), side: .top, kind: .gallery)
            content.pictures = [PictureUse(media.id)]
            image.contents = [content]
            images[.random()] = .image(image)
        }
        try await bench.server.store.save(all: images, by: Author("ben"), at: bench.server.clock.now)
        for path in ["/media/\(media.id)", "/media/\(media.id)/delete"] {
            let page = try await bench.get(path).text
            let links = page.matches(of: /<a href="\/images\//).count
            #expect(links == 200, "\(path)")
            #expect(page.contains(" <span class=\"muted\">503</span></h2>"), "\(path)")
            #expect(page.contains("303 more are not shown"), "\(path)")
        }
        #expect(try await bench.get("/media/\(media.id)/crop").text.contains("Images that change: 503</p>"))
    }

    @Test("make no part of a picture that was replaced meanwhile, show the new one, and keep what was typed")
    func cropped() async throws {
        let bench = try await Bench()
        func picture(_ number: UInt8) -> Document {
            var media = MediaDocument(hash: AssetHash(of: [number]), bytes: 1, mediaType: "image/png")
            (media.width, media.height) = (400, 300)
            return .media(media)
        }
        let stored = try await bench.make(picture(1))
        let path = "/media/\(stored.id)/crop"
        let (before, after) = (AssetHash(of: [1]), AssetHash(of: [2]))
        #expect(try await bench.get(path).text.contains("name=\"file\" value=\"\(before)\""))
        _ = try await bench.change(stored, to: picture(2))
        func send(_ file: AssetHash) async throws -> RawResponse {
            try await bench.send(
                path,
                [
                    ("file", "\(file)"), ("left", "11"), ("top", "12"), ("width", "201"), ("height", "101"),
                    ("name", "Fin"), ("replace", "true"),
                ])
        }
        let refused = try await send(before)
        #expect(refused.status == 409 && refused.text.contains("replaced the picture"))
        #expect(refused.text.contains("name=\"file\" value=\"\(after)\""))
        #expect(refused.text.contains("/pictures/\(after)/1280"))
        for value in ["11", "12", "201", "101", "Fin"] { #expect(refused.text.contains("value=\"\(value)\"")) }
        #expect(try await bench.server.store.documents(.media).total == 1)
        // This server has no program that reads pictures: the form gets as far as that.
        #expect(try await send(after).status == 422)
    }

    @Test("move an image by one place, and neither offer nor refuse a move beyond an end", arguments: [true, false])
    func moved(_ hasBeacon: Bool) async throws {
        let bench = try await Bench()
        let beacon = try await hasBeacon ? bench.make(.beacon(BeaconDocument())).id : nil
        var images: [DocumentID] = []
        for _ in 1...3 {
            var image = ImageDocument()
            image.beacon = beacon
            images.append(try await bench.make(.image(image)).id)
        }
        let path = beacon.map { "/beacons/\($0)" } ?? "/uncategorized"
        func move(_ image: DocumentID, _ by: Int) async throws -> RawResponse {
            try await bench.send("\(path)/order", [("image", image.text), ("by", "\(by)")])
        }
        let page = try await bench.get(path).text
        let buttons = page.matches(of: /name="by" value="-?1"( disabled)?/).map { $0.output.1 != nil }
        #expect(buttons == [true, false, false, false, false, true])
        for (image, by) in [(images[0], -1), (images[2], 1), (DocumentID.random(), 1)] {
            let answer = try await move(image, by)
            #expect(answer.status == 303 && answer.fields["location"] == "\(path)#image-\(image)")
        }
        #expect(try await bench.server.store.images(of: beacon).map(\.id) == images)
        #expect(try await move(images[0], 1).fields["location"]?.contains("done=ordered") == true)
        #expect(try await bench.server.store.images(of: beacon).map(\.id) == [images[1], images[0], images[2]])
        #expect(try await move(images[0], 2).status == 422)
    }

    @Test("say a maximum of images only where there is one")
    func maximum() async throws {
        let bench = try await Bench()
        let beacon = try await bench.make(.beacon(BeaconDocument()))
        #expect(try await bench.get("/beacons/\(beacon.id)").text.contains("<span class=\"muted\">0 / 25</span>"))
        #expect(try await bench.get("/uncategorized").text.contains("<span class=\"muted\">0</span>"))
    }
}
