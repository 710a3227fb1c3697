/// Videos and sounds made here: right in their structure, without anything to see or hear in them.
enum Containers {
    // MARK: - MP4

    static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        return PNGMaker.big(UInt32(content.count + 8)) + Array(type.utf8) + content
    }

    static func track(_ handler: String, _ codec: String) -> [UInt8] {
        let header = [UInt8](repeating: 0, count: 76) + [0, 64, 0, 0, 0, 48, 0, 0]
        let kind = [UInt8](repeating: 0, count: 8) + Array(handler.utf8) + [UInt8](repeating: 0, count: 13)
        let codecs = [0, 0, 0, 0, 0, 0, 0, 1] + box(codec, [UInt8](repeating: 0, count: 78))
        return box(
            "trak", box("tkhd", header), box("mdia", box("hdlr", kind), box("minf", box("stbl", box("stsd", codecs)))))
    }

    static func mp4(
        brand: String = "isom", tracks: [[UInt8]] = [track("vide", "avc1"), track("soun", "mp4a")], more: [UInt8] = []
    ) -> [UInt8] {
        box("ftyp", Array(brand.utf8), [0, 0, 2, 0], Array("isommp41".utf8))
            + box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)), tracks.flatMap { $0 }, more)
            + box("mdat", [UInt8](repeating: 7, count: 400))
    }

    // MARK: - WebM

    static func element(_ id: [UInt8], _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        return id + size(content.count) + content
    }

    private static func size(_ count: Int) -> [UInt8] {
        [0x10 | UInt8(count >> 24 & 15), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    }

    static func webm(
        type: String = "webm", codec: String = "V_VP9", trackType: UInt8 = 1, isLive: Bool = false, more: [UInt8] = []
    ) -> [UInt8] {
        let video = element([0xE0], element([0xB0], [64]), element([0xBA], [48]))
        let track = element([0xAE], element([0x83], [trackType]), element([0x86], Array(codec.utf8)), video)
        let info = element([0x15, 0x49, 0xA9, 0x66], element([0x7B, 0xA9], Array("secret title".utf8)))
        let block = element([0xE7], [0]) + element([0xA3], [UInt8](repeating: 7, count: 200))
        let cluster = isLive ? [0x1F, 0x43, 0xB6, 0x75, 0xFF] + block : element([0x1F, 0x43, 0xB6, 0x75], block)
        let body = info + element([0x16, 0x54, 0xAE, 0x6B], track) + more + cluster
        let segment = isLive ? [0x18, 0x53, 0x80, 0x67, 0xFF] + body : element([0x18, 0x53, 0x80, 0x67], body)
        return element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array(type.utf8))) + segment
    }

    // MARK: - Ogg

    static func page(_ content: [UInt8], number: UInt8, flags: UInt8 = 0) -> [UInt8] {
        let segments = [UInt8](repeating: 255, count: content.count / 255) + [UInt8(content.count % 255)]
        var page = Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 8) + [1, 2, 3, 4, number, 0, 0, 0]
        page += [0, 0, 0, 0, UInt8(segments.count)] + segments + content
        var sum: UInt32 = 0
        for octet in page {
            sum ^= UInt32(octet) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
        for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(index * 8)) }
        return page
    }

    static func opus(comment: String = "LOCATION=secret place") -> [UInt8] {
        let text = Array(comment.utf8)
        let tags =
            Array("OpusTags".utf8) + [0, 0, 0, 0, 1, 0, 0, 0, UInt8(text.count & 255), UInt8(text.count >> 8), 0, 0]
        return page(Array("OpusHead".utf8) + [1, 1, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0], number: 0, flags: 2)
            + page(tags + text, number: 1) + page([UInt8](repeating: 7, count: 300), number: 2, flags: 4)
    }

    // MARK: - MP3

    static func mp3(tag: String = "secret artist", frames: Int = 6, tail: [UInt8] = []) -> [UInt8] {
        let text = Array(tag.utf8)
        let head = Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(text.count >> 7), UInt8(text.count & 127)] + text
        // 128 kbit/s at 44,100 Hz.
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        return head + (0..<frames).flatMap { _ in frame } + tail
    }

    static let captions =
        "WEBVTT\n\n1\n00:01.000 --> 00:04.000\nA bridge\n\n00:05.000 --> 01:00:09.250 align:start\nover a river\n"
}
