import Beacon
import Curation
import SiteFormat
import Testing

@Suite("Checks of documents")
struct DocumentCheckTests {
    static func id(_ text: String) throws -> DocumentID { try #require(DocumentID(text)) }

    static func content(_ side: ContentItem.Side, _ kind: ContentItem.Kind) throws -> ContentItem {
        ContentItem(id: try id("c-\(side)-\(kind)"), side: side, kind: kind)
    }

    static func media(_ type: String) throws -> Document {
        .media(MediaDocument(hash: AssetHash(of: Array(type.utf8)), bytes: 10, mediaType: type))
    }

    @Test("an empty draft of every kind can be saved")
    func drafts() throws {
        let drafts: [Document] = [
            .beacon(BeaconDocument()), .image(ImageDocument()), .plan(PlanDocument()), .site(SiteDocument()),
            try Self.media("image/png"),
        ]
        #expect(drafts.flatMap { DocumentCheck().mistakes(in: $0) }.isEmpty)
        var image = ImageDocument()
        for (side, kind) in zip(ContentItem.Side.allCases, ContentItem.Kind.allCases) {
            image.contents.append(try Self.content(side, kind))
        }
        #expect(DocumentCheck().mistakes(in: .image(image)).isEmpty)
    }

    @Test("what an incomplete draft needs is told with its fields")
    func missing() throws {
        let check = DocumentCheck()
        #expect(check.missing(in: .beacon(BeaconDocument())).map(\.field) == ["name", "uuid", "major", "minor"])
        var image = ImageDocument()
        image[.left] = try Self.content(.left, .image)
        image[.right] = try Self.content(.right, .gallery)
        image[.top] = try Self.content(.top, .video)
        image[.bottom] = try Self.content(.bottom, .map)
        image[.bottom]?.action = ActionItem(kind: .call, value: "")
        #expect(
            check.missing(in: .image(image)) == [
                FieldMistake("title", Problem(.missing)), FieldMistake("picture", Problem(.pictureNeeded)),
                FieldMistake("width_cm", Problem(.missing)),
                FieldMistake("contents.left.pictures", Problem(.pictureNeeded)),
                FieldMistake("contents.right.pictures", Problem(.galleryNeedsPictures)),
                FieldMistake("contents.top.video", Problem(.videoNeeded)),
                FieldMistake("contents.bottom.coordinates", Problem(.mapNeedsPlace)),
                FieldMistake("contents.bottom.action.value", Problem(.missing)),
            ])
    }

    @Test("one character of many code points is too long for every field")
    func codePoints() throws {
        let long = "e" + String(repeating: "\u{301}", count: 100_000)
        var image = ImageDocument()
        image.title = LocalizedText(long, in: .english)
        image.category = long
        image.tags = [long]
        image[.left] = try Self.content(.left, .image)
        image[.left]?.action = ActionItem(kind: .navigate, value: long)
        image[.right] = try Self.content(.right, .map)
        image[.right]?.action = ActionItem(kind: .openURL, value: "https://example.org/" + long)
        #expect(
            DocumentCheck().mistakes(in: .image(image)) == [
                FieldMistake("title.en", Problem(.tooLong, "200")),
                FieldMistake("contents.left.action.value", Problem(.tooLong, "200")),
                FieldMistake("contents.right.action.value", Problem(.tooLong, "2000")),
                FieldMistake("category", Problem(.tooLong, "100")), FieldMistake("tags", Problem(.tooLong, "50")),
            ])
    }

    @Test("what was chosen and deleted later is told at publishing, and a draft with it can be saved")
    func gone() throws {
        var image = ImageDocument()
        image.picture = PictureUse(try Self.id("m1"))
        var check = DocumentCheck()
        check.document = { _ in nil }
        #expect(check.mistakes(in: .image(image)).isEmpty)
        #expect(check.missing(in: .image(image)).contains(FieldMistake("picture", Problem(.gone))))
    }

    @Test("a file of another kind than the field needs is refused")
    func kinds() throws {
        var image = ImageDocument()
        image.picture = PictureUse(try Self.id("sound"))
        image.audio[.english] = try Self.id("picture")
        image.signLanguage[.english] = try Self.id("sound")
        image[.left] = try Self.content(.left, .video)
        image[.left]?.captions[.english] = try Self.id("picture")
        image.beacon = try Self.id("picture")
        let files = [
            try Self.id("sound"): try Self.media("audio/mpeg"), try Self.id("picture"): try Self.media("image/png"),
        ]
        var check = DocumentCheck()
        check.document = { files[$0] }
        let mistakes = Dictionary(
            uniqueKeysWithValues: check.mistakes(in: .image(image)).map { ($0.field, $0.problem.code) })
        #expect(
            mistakes == [
                "picture": .notPicture, "audio.en": .notAudio, "sign_language.en": .notVideo,
                "contents.left.captions.en": .notCaptions, "beacon": .notBeacon,
            ])
    }

    @Test("a second content on a side, and an action on a gallery or a video, are refused beside the field")
    func contents() throws {
        var image = ImageDocument()
        image.contents = [
            try Self.content(.left, .image), try Self.content(.left, .map), try Self.content(.top, .video),
            try Self.content(.right, .gallery),
        ]
        for index in 1...3 { image.contents[index].action = ActionItem(kind: .call, value: "112") }
        #expect(
            DocumentCheck().mistakes(in: .image(image)) == [
                FieldMistake("contents.left.side", Problem(.sideTaken)),
                FieldMistake("contents.top.action", Problem(.noActionHere)),
                FieldMistake("contents.right.action", Problem(.noActionHere)),
            ])
    }

    @Test("a content holds only what its kind shows")
    func foreignFields() throws {
        var image = ImageDocument()
        image[.left] = try Self.content(.left, .image)
        image[.left]?.pictures = [PictureUse(try Self.id("a")), PictureUse(try Self.id("b"))]
        image[.left]?.videoURL = "https://example.org/v"
        image[.left]?.coordinates = Coordinates(latitude: 91, longitude: -181)
        image[.top] = try Self.content(.top, .video)
        image[.top]?.pictures = [PictureUse(try Self.id("a"))]
        image[.top]?.videoURL = "ftp://example.org/v"
        image[.top]?.video = try Self.id("v")
        #expect(
            DocumentCheck().mistakes(in: .image(image)).map { "\($0.field) \($0.problem.code.rawValue)" } == [
                "contents.left.pictures one_picture_only", "contents.left.video_url video_only",
                "contents.left.coordinates map_only", "contents.left.coordinates.latitude latitude_out_of_range",
                "contents.left.coordinates.longitude longitude_out_of_range",
                "contents.top.pictures no_pictures_here", "contents.top.video_url one_video_only",
                "contents.top.video_url link_scheme",
            ])
    }

    @Test("the 26th image of a beacon is refused, and so is one above the maximum that the site sets")
    func maximum() {
        var check = DocumentCheck()
        check.otherImages = 24
        #expect(check.mistakes(in: .image(ImageDocument())).isEmpty)
        check.otherImages = 25
        #expect(check.mistakes(in: .image(ImageDocument())) == [FieldMistake("beacon", Problem(.tooManyImages, "25"))])
        check.site.maximumImages = 30
        #expect(check.mistakes(in: .image(ImageDocument())).isEmpty)
    }

    @Test("an identity that another beacon has is refused")
    func identity() throws {
        var beacon = BeaconDocument()
        beacon.uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
        (beacon.major, beacon.minor) = (1, 2)
        var check = DocumentCheck()
        check.owner = { $0.minor == 2 ? "Whale" : nil }
        #expect(check.mistakes(in: .beacon(beacon)) == [FieldMistake("uuid", Problem(.identityTaken, "Whale"))])
        beacon.minor = 3
        #expect(check.mistakes(in: .beacon(beacon)).isEmpty)
    }

    @Test(
        "a width is more than nothing and at most ten metres",
        arguments: [
            (0.1, true), (1000, true), (0, false), (-1, false), (1000.5, false), (.nan, false), (.infinity, false),
        ])
    func width(_ width: Double, isRight: Bool) {
        var image = ImageDocument()
        image.widthCm = width
        #expect(DocumentCheck().mistakes(in: .image(image)).isEmpty == isRight)
    }

    @Test("an end that is not after the beginning is refused")
    func validity() {
        var image = ImageDocument()
        image.validFrom = Moment(Timestamp(seconds: 100))
        image.validUntil = Moment(Timestamp(seconds: 100))
        #expect(DocumentCheck().mistakes(in: .image(image)) == [FieldMistake("valid_until", Problem(.untilBeforeFrom))])
        image.validUntil = Moment(Timestamp(seconds: 101))
        #expect(DocumentCheck().mistakes(in: .image(image)).isEmpty)
    }

    @Test("a name has at most 200 characters, each of them with any number of marks, within reason")
    func lengths() {
        var beacon = BeaconDocument()
        beacon.name = LocalizedText(String(repeating: "👩‍👩‍👧", count: 50), in: .english)
        #expect(DocumentCheck().mistakes(in: .beacon(beacon)).isEmpty)
        beacon.name = LocalizedText(String(repeating: "a", count: 201), in: .english)
        #expect(DocumentCheck().mistakes(in: .beacon(beacon)) == [FieldMistake("name.en", Problem(.tooLong, "200"))])
        beacon.name = LocalizedText("a" + String(repeating: "\u{301}", count: 900), in: .english)
        #expect(DocumentCheck().mistakes(in: .beacon(beacon)).map(\.field) == ["name.en"])
    }

    @Test("a site needs languages, each once, and limits that can be kept")
    func site() throws {
        var site = SiteDocument()
        site.languages = []
        site.maximumImages = 0
        site.deviceQuota = 1
        #expect(
            DocumentCheck().mistakes(in: .site(site)).map(\.field) == ["languages", "maximum_images", "device_quota"])
        site = SiteDocument()
        site.languages = [.english, try #require(Language("EN"))]
        #expect(DocumentCheck().mistakes(in: .site(site)) == [FieldMistake("languages", Problem(.repeated, "EN"))])
    }

    @Test("only mail has parameters, a subject and a body")
    func parameters() throws {
        var image = ImageDocument()
        image[.left] = try Self.content(.left, .map)
        image[.left]?.action = ActionItem(kind: .email, value: "a@example.org")
        image[.left]?.action?.parameters = ["subject": "Hello", "bcc": "b@example.org"]
        #expect(
            DocumentCheck().mistakes(in: .image(image)) == [
                FieldMistake("contents.left.action.parameters", Problem(.unknownParameter, "bcc"))
            ])
    }

    @Test(
        "pixels of a file, and an image's place, have bounds",
        arguments: [Int.max, .min, 0, -1, 1_000_001, 1_000_000_001])
    func bounds(number: Int) throws {
        for field in ["width", "height"] {
            guard case .media(var body) = try Self.media("image/png") else {
                Issue.record("no media")
                return
            }
            if field == "width" { body.width = number } else { body.height = number }
            let isRight = number == 1_000_000
            #expect(DocumentCheck().mistakes(in: .media(body)).map(\.field) == (isRight ? [] : [field]))
        }
        var image = ImageDocument()
        image.rank = Int64(number)
        let isFar = abs(Double(number)) > 1e9
        #expect(DocumentCheck().mistakes(in: .image(image)).map(\.field) == (isFar ? ["rank"] : []))
    }
}
