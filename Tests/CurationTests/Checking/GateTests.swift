import Beacon
import Curation
import SiteFormat
import Testing

@Suite("The gate at publishing")
struct GateTests {
    let whale: DocumentID
    let first: DocumentID
    let second: DocumentID
    let german: Language

    init() throws {
        whale = try #require(DocumentID("whale"))
        first = try #require(DocumentID("i1"))
        second = try #require(DocumentID("i2"))
        german = try #require(Language("de"))
    }

    /// A beacon with two complete images, of which the first is changed.
    func site(
        likeness: UInt64 = 0xFFFF_0000, _ change: (inout ImageDocument, inout SiteDocument) throws -> Void = { _, _ in }
    ) throws -> [DocumentID: Document] {
        var beacon = BeaconDocument()
        beacon.name = LocalizedText("Whale", in: .english)
        beacon.uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
        (beacon.major, beacon.minor) = (1, 1)
        var documents: [DocumentID: Document] = [whale: .beacon(beacon)]
        var site = SiteDocument()
        for (id, likeness) in [(first, likeness), (second, 0)] {
            let file = try #require(DocumentID("m-\(id)"))
            var media = MediaDocument(
                hash: AssetHash(of: Array(id.text.utf8)), bytes: 600 << 10, mediaType: "image/png")
            media.likeness = likeness
            documents[file] = .media(media)
            var image = ImageDocument()
            image.title = LocalizedText("Image \(id)", in: .english)
            image.beacon = whale
            image.picture = PictureUse(file)
            image.picture?.alt = LocalizedText("Bones", in: .english)
            image.widthCm = 40
            if id == first { try change(&image, &site) }
            documents[id] = .image(image)
        }
        documents[.site] = .site(site)
        return documents
    }

    func words(_ documents: [DocumentID: Document]) -> [String] {
        Gate.findings(site: documents).map { "\($0.level) \($0.document) \($0.field) \($0.problem.code.rawValue)" }
    }

    @Test("a complete site has no findings")
    func complete() throws {
        #expect(words(try site()).isEmpty)
    }

    @Test("what is needed is refused, whatever the rules say")
    func needed() throws {
        let documents = try site { image, site in
            image.widthCm = nil
            image.audio[.english] = self.second
            site.gate = [:]
        }
        #expect(words(documents).contains("refuse i1 width_cm missing"))
        var without = try site()
        without[whale] = nil
        #expect(words(without) == ["refuse i1 beacon gone", "refuse i2 beacon gone"])
    }

    @Test("a picture without an alternative text is told, and one that is decorative is not")
    func alt() throws {
        #expect(
            words(try site { image, _ in image.picture?.alt = LocalizedText() }) == ["warn i1 picture.alt alt_missing"])
        #expect(
            words(
                try site { image, _ in
                    image.picture?.alt = LocalizedText()
                    image.picture?.isDecorative = true
                }
            ).isEmpty)
    }

    @Test("a text that is missing in a language of the site is told")
    func languages() throws {
        let found = words(
            try site { image, site in
                site.languages.append(self.german)
                image.title[self.german] = "Bild"
            })
        #expect(found.contains("warn i1 picture.alt.de language_missing"))
        #expect(found.contains("warn i2 title.de language_missing"))
        #expect(!found.contains("warn i1 title.de language_missing"))
    }

    @Test("sound without a transcript and a video without captions are told")
    func transcripts() throws {
        let file = try #require(DocumentID("m-i1"))
        let found = words(
            try site { image, _ in
                image.audio[.english] = file
                image[.left] = ContentItem(id: file, side: .left, kind: .video)
                image[.left]?.video = file
            })
        #expect(
            found == ["warn i1 transcript.en transcript_missing", "warn i1 contents.left.captions captions_missing"])
    }

    @Test("links that are not https are told, wherever they are")
    func links() throws {
        let content = try #require(DocumentID("c1"))
        let found = words(
            try site { image, site in
                site.gate[.insecureLink] = .refuse
                image[.left] = ContentItem(id: content, side: .left, kind: .video)
                image[.left]?.videoURL = "http://example.org/v"
                image[.top] = ContentItem(id: content, side: .top, kind: .map)
                image[.top]?.coordinates = Coordinates(latitude: 1, longitude: 2)
                image[.top]?.action = ActionItem(kind: .openURL, value: "http://example.org/")
                image.page = FullPage()
                image.page?.body[.english] = PageText([
                    .paragraph([
                        .text("a", marks: [.link("http://example.org/")]), .text("b", marks: [.link("tel:112")]),
                    ])
                ])
            })
        #expect(
            found == [
                "refuse i1 contents.left.video_url link_insecure", "refuse i1 contents.top.action.value link_insecure",
                "refuse i1 page.body.en link_insecure",
            ])
    }

    @Test("two images of a beacon that look alike are told, and of two beacons not")
    func alike() throws {
        let documents = try site(likeness: 0xFF)
        #expect(
            Gate.findings(site: documents).map { "\($0.document): \($0.problem.arguments)" } == [
                #"i1: ["Image i2"]"#, #"i2: ["Image i1"]"#,
            ])
        #expect(words(try site(likeness: 0xFFFF_FFFF)).isEmpty)
        var apart = documents
        var image = try #require(apart[first]?.image)
        image.beacon = nil
        apart[first] = .image(image)
        #expect(words(apart).isEmpty)
    }

    @Test("a site that is heavier than the devices hold is refused, each file counted once")
    func weight() throws {
        let heavy = try site { _, site in site.deviceQuota = 1 << 20 }
        #expect(words(heavy) == ["refuse site device_quota too_heavy"])
        #expect(words(try site { _, site in site.deviceQuota = 1200 << 10 }).isEmpty)
        // More than a number holds is no light site.
        let enormous = heavy.mapValues { document -> Document in
            guard var media = document.media else { return document }
            media.bytes = .max
            return .media(media)
        }
        #expect(words(enormous) == ["refuse site device_quota too_heavy"])
    }

    @Test("a rule that the site ignores finds nothing")
    func ignored() throws {
        #expect(
            words(
                try site { image, site in
                    image.picture?.alt = LocalizedText()
                    site.gate[.missingAlt] = .ignore
                }
            ).isEmpty)
    }
}
