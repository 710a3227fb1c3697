import Media
import TestSupport
import Testing
import Text

@Suite("What files are by their structure")
struct StructureTests {
    static let kinds: [(String, String, [UInt8])] = [
        ("JPEG", "image/jpeg", Samples.jpeg), ("JPEG in several scans", "image/jpeg", Samples.progressiveJPEG),
        ("PNG", "image/png", PNGMaker().octets), ("WebP", "image/webp", Samples.losslessWebP),
        ("GIF", "image/gif", Samples.gif), ("MP4", "video/mp4", Containers.mp4()),
        ("MP4 with sound only", "audio/mp4", Containers.mp4(brand: "M4A ", tracks: [Containers.track("soun", "mp4a")])),
        ("WebM", "video/webm", Containers.webm()), ("WebM from a camera", "video/webm", Containers.webm(isLive: true)),
        ("WebM with sound only", "audio/webm", Containers.webm(codec: "A_OPUS", trackType: 2)),
        ("Ogg", "audio/ogg", Containers.opus()), ("MP3", "audio/mpeg", Containers.mp3()),
        ("WebVTT", "text/vtt", Array(Containers.captions.utf8)),
    ]

    @Test("each kind of file is recognised by what is in it", arguments: kinds)
    func recognised(_ name: String, _ type: String, _ octets: [UInt8]) throws {
        #expect(try MediaReading.mediaType(octets) == type)
        let cleaned = try MediaReading.cleaned(octets)
        // What is clean stays as it is.
        #expect(try MediaReading.cleaned(cleaned) == cleaned)
        #expect(cleaned.count <= octets.count)
    }

    static let refused: [(String, [UInt8], MediaError.Code, String)] = [
        ("nothing", [], .empty, "choose the file again"),
        ("one byte", [0x41], .unsupported, "WEBVTT"),
        ("text", Array("This is a note, and no picture at all".utf8), .unsupported, "WEBVTT"),
        ("SVG", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".utf8), .unsupported, "as PNG"),
        ("HTML after blanks", Array("\u{FEFF}\n <!doctype html><script>1</script>".utf8), .unsupported, "as PNG"),
        ("PDF", Array("%PDF-1.7\n%âãÏÓ".utf8), .unsupported, "as PNG pictures"),
        ("HEIC", Containers.box("ftyp", Array("heic".utf8), [0, 0, 0, 0]), .unsupported, "save it as JPEG"),
        ("QuickTime", Containers.mp4(brand: "qt  "), .unsupported, "save it as MP4"),
        ("TIFF", Array("II*\0aaaaaaaaaaaaaaaa".utf8), .unsupported, "save it as JPEG"),
        ("ZIP", Array("PK\u{3}\u{4}aaaaaaaaaaaaaaaa".utf8), .unsupported, "unpack it"),
        ("WAV", Array("RIFFaaaaWAVEfmt aaaaaaaa".utf8), .unsupported, "save it as MP3"),
        ("Matroska", Containers.webm(type: "matroska"), .unsupported, "ffmpeg"),
        ("HEVC", Containers.mp4(tracks: [Containers.track("vide", "hvc1")]), .unsupported, "ffmpeg"),
        ("Ogg with Speex", Containers.page(Array("Speex   1.2".utf8), number: 0, flags: 2), .unsupported, "ffmpeg"),
        (
            "a track of places",
            Containers.mp4(tracks: [Containers.track("vide", "avc1"), Containers.track("meta", "gpmd")]), .personal,
            "ffmpeg"
        ),
        (
            "attachments", Containers.webm(more: Containers.element([0x19, 0x41, 0xA4, 0x69], [1, 2, 3])), .personal,
            "ffmpeg"
        ),
        (
            "text named as a video",
            Containers.box("ftyp", Array("isom".utf8), [0, 0, 0, 0]) + Array("<script>alert(1)</script>".utf8),
            .damaged, "save it again"
        ),
        (
            "an MP4 with text behind it", Containers.mp4() + Array("<html><script>alert(1)</script>".utf8), .damaged,
            "save it again"
        ),
        ("60,000 × 60,000 pixels", PNGMaker.claiming(60_000, 60_000), .tooManyPixels, "make it smaller"),
        ("2³² − 1 pixels twice", PNGMaker.claiming(.max, .max), .tooManyPixels, "make it smaller"),
        ("no pixels", PNGMaker.claiming(0, 10), .damaged, "save it again"),
    ]

    /// The size of a picture, or the kind of a track, would be read from what follows.
    static let short: [(String, [UInt8])] = [
        ("VP8L", webP("VP8L", [], "junk", [UInt8](repeating: 0x76, count: 40))),
        ("VP8L of four octets", webP("VP8L", [0x2F, 1, 0, 0], "junk", [UInt8](repeating: 0, count: 40))),
        ("VP8", webP("VP8 ", [UInt8](repeating: 1, count: 8), "junk", [UInt8](repeating: 1, count: 40))),
        (
            "IHDR",
            PNGMaker.signature + PNGMaker.chunk("IHDR", []) + PNGMaker.chunk("tEXt", [UInt8](repeating: 1, count: 20))
                + PNGMaker.chunk("IDAT", [1]) + PNGMaker.chunk("IEND", [])
        ),
        ("SOF0", [0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xFE, 0, 4, 1, 1, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0xD9]),
        (
            "hdlr",
            Containers.mp4(tracks: [
                Containers.box(
                    "trak", Containers.box("mdia", Containers.box("hdlr"), Containers.box("udta", Array("vide".utf8))))
            ])
        ),
    ]

    private static func webP(_ first: String, _ content: [UInt8], _ second: String, _ rest: [UInt8]) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Array(type.utf8) + [UInt8(content.count), 0, 0, 0] + content
        }
        let body = Array("WEBP".utf8) + chunk(first, content) + chunk(second, rest)
        return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    }

    @Test("a part that is too short for what it has to tell is refused", arguments: short)
    func tooShort(_ name: String, _ octets: [UInt8]) throws {
        let error = try #require(throws: MediaError.self) { try MediaReading.cleaned(octets) }
        #expect("\(error)".contains(name == "hdlr" ? "the box hdlr" : "its header"), "\(error)")
    }

    @Test("what cannot be shown is refused with what to do", arguments: refused)
    func refusal(_ name: String, _ octets: [UInt8], _ code: MediaError.Code, _ remedy: String) throws {
        let error = #expect(throws: MediaError.self) { try MediaReading.cleaned(octets) }
        #expect(error?.code == code)
        #expect(error?.remedy.contains(remedy) == true, "\(error?.description ?? "")")
    }

    @Test("what is cut off is refused", arguments: kinds.filter { $0.1 != "text/vtt" && $0.1 != "audio/mpeg" })
    func cutOff(_ name: String, _ type: String, _ octets: [UInt8]) {
        for count in [octets.count - 1, octets.count / 2, 20] {
            #expect(throws: MediaError.self) { try MediaReading.cleaned(Array(octets.prefix(count))) }
        }
    }

    static let secrets: [(String, [UInt8])] = [
        ("JPEG", Samples.turnedJPEG), ("GIF", Samples.gif), ("WebP", Samples.webp),
        (
            "PNG",
            PNGMaker(before: [("tEXt", Array("Comment\0secret".utf8))], after: [("eXIf", Array("MM\0*secret".utf8))])
                .octets
        ),
        ("MP4", Containers.mp4(more: Containers.box("udta", Containers.box("©xyz", Array("secret+48.2+16.3/".utf8))))),
        ("MP4 with meta", Containers.mp4(more: Containers.box("meta", Array("secret".utf8)))),
        ("WebM", Containers.webm(more: Containers.element([0x12, 0x54, 0xC3, 0x67], Array("secret place".utf8)))),
        ("Ogg", Containers.opus()),
        ("Ogg with a long comment", Containers.opus(comment: "LOCATION=secret" + String(repeating: "x", count: 700))),
        ("MP3", Containers.mp3(tail: Array("TAGsecret".utf8) + [UInt8](repeating: 0, count: 119))),
    ]

    @Test("places, comments and names are left out", arguments: secrets)
    func personalData(_ name: String, _ octets: [UInt8]) throws {
        let words = ["secret", "Camera", "Exif\0\0", "+48.2", "Ada"]
        #expect(words.contains { contains(octets, $0) })
        let cleaned = try MediaReading.cleaned(octets)
        for word in words { #expect(!contains(cleaned, word), "\(word)") }
    }

    @Test("a recording with a flood of small parts is refused, and fills no memory", arguments: [
            (
                "tracks",
                Containers.element(
                    [0x16, 0x54, 0xAE, 0x6B], Array(repeating: [0xAE, 0x80], count: 200).flatMap { $0 })
            ),
        (
            "names",
                Containers.element(
                    [0x15, 0x49, 0xA9, 0x66], Array(repeating: [0x7B, 0xA9, 0x80], count: 200).flatMap { $0 })
        ),
            (
                "parts",
                Containers.element(
                    [0x15, 0x49, 0xA9, 0x66], Array(repeating: [0xEC, 0x80], count: 200_000).flatMap { $0 })
            ),
    ] as [(String, [UInt8])])
    func flood(_ name: String, _ more: [UInt8]) throws {
        let error = try #require(throws: MediaError.self) { try MediaReading.cleaned(Containers.webm(more: more)) }
        #expect("\(error)".contains("too many"), "\(error)")
    }

    @Test("what stands behind a picture's end is left out", arguments: kinds.prefix(5))
    func polyglot(_ name: String, _ type: String, _ octets: [UInt8]) throws {
        let cleaned = try MediaReading.cleaned(octets + Array("<html><script>alert(1)</script></html>".utf8))
        #expect(cleaned == (try MediaReading.cleaned(octets)))
    }

    @Test("a GIF that is also a program is refused")
    func program() {
        let program = Array("GIF89a/*aaaaaaaaaaaaaaaaaaaaaaaaaaaa*/=1;alert(1)".utf8)
        #expect(throws: MediaError.self) { try MediaReading.cleaned(program) }
    }

    @Test("an animated PNG becomes its first picture: the others would not be checked")
    func animation() throws {
        let plain = PNGMaker().octets
        let animated = PNGMaker(
            before: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])], after: [("fdAT", [0, 0, 0, 1] + Array("secret".utf8))])
        #expect(try MediaReading.cleaned(animated.octets) == plain)
    }

    @Test("a part of a PNG that decoders have to know is refused if it is unknown")
    func criticalChunk() {
        #expect(throws: MediaError.self) { try MediaReading.cleaned(PNGMaker(before: [("EVIL", [1])]).octets) }
    }

    static let wrongCaptions = [
        "WEBVTT", "WEBVTTX\n\n00:01.000 --> 00:02.000\nA", "WEBVTT\n\n00:02.000 --> 00:01.000\nA",
        "WEBVTT\n\n0:1 --> 0:2\nA", "WEBVTT\n\n00:61.000 --> 02:02.000\nA", "WEBVTT\n\nA --> B\nA",
        "WEBVTT\n\n00:09.000 --> 00:10.000\nA\n\n00:01.000 --> 00:02.000\nB", "WEBVTT\n\n00:01,000 --> 00:02,000\nA",
        "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:03.000 -->\u{301} 00:04.000\nB",
    ]

    @Test("captions that players would not show are refused with the line", arguments: wrongCaptions)
    func captions(_ text: String) {
        let error = #expect(throws: MediaError.self) { try MediaReading.cleaned(Array(text.utf8)) }
        #expect(error?.code == .damaged)
        // Only the first has no line that is wrong.
        #expect(error?.problem.contains("line ") == (text != "WEBVTT"))
    }

    @Test("captions have to be text in UTF-8")
    func encoding() {
        let octets = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n".utf8)
        #expect(throws: MediaError.self) { try MediaReading.cleaned(octets + [0xFF, 0xFE]) }
        #expect(throws: MediaError.self) { try MediaReading.cleaned(octets + [0x41, 0]) }
    }

    @Test(
        "no change of a file makes its reader crash, hang or grow", arguments: kinds + secrets.map { ($0.0, "", $0.1) })
    func mutated(_ name: String, _ type: String, _ octets: [UInt8]) throws {
        var random = SeededGenerator(seed: 15)
        var kept = 0
        for _ in 0..<400 {
            let changed = mutation(of: octets, &random)
            guard let cleaned = try? MediaReading.cleaned(changed) else { continue }
            kept += 1
            // What stays is never more than what came, and is read again without an error.
            guard cleaned.count <= changed.count, (try? MediaReading.cleaned(cleaned)) == cleaned else {
                Issue.record("\(name): \(changed.prefix(2000))")
                return
            }
        }
        // Where none passed, the changes were too coarse to test anything.
        #expect(kept > 0)
    }
}

func contains(_ octets: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    guard octets.count >= word.count else { return false }
    return (0...octets.count - word.count).contains { octets[$0..<$0 + word.count].elementsEqual(word) }
}

/// A file with some octets changed, cut out or repeated.
func mutation(of octets: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var changed = octets
    for _ in 0..<Int.random(in: 1...4, using: &random) where changed.count > 4 {
        let place = Int.random(in: 0..<changed.count, using: &random)
        let end = min(changed.count, place + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: changed[place] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
        case 1, 2: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3: changed.removeSubrange(place..<end)
        case 4: changed.insert(contentsOf: Array(changed[place..<end]), at: place)
        default: changed.replaceSubrange(place..<end, with: random.octets(end - place))
        }
    }
    return changed
}
