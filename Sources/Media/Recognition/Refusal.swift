/// The apparent kinds of files that cannot be shown, and what to do instead.
enum Refusal {
    static let asPicture = "save it as JPEG, PNG or WebP, and upload that file"
    // First the remedy in words, then a command for a terminal.
    static let asVideo =
        "save it as MP4 (H.264 and AAC) in a program for videos, and upload that file, or convert it: "
        + "ffmpeg -i VIDEO -c:v libx264 -pix_fmt yuv420p -c:a aac -map_metadata -1 VIDEO.mp4"
    static let asSound =
        "save it as MP3 or M4A in a program for sound, and upload that file, or convert it: "
        + "ffmpeg -i SOUND -c:a aac -map_metadata -1 SOUND.m4a"

    struct Brand: Sendable {
        var brand: StaticString
        var what: String
        var remedy: String
    }

    /// Files with MP4's structure that browsers do not show.
    static let brands = [
        Brand(brand: "heic", what: "a HEIC picture", remedy: asPicture),
        Brand(brand: "heix", what: "a HEIC picture", remedy: asPicture),
        Brand(brand: "hevc", what: "a HEIC picture", remedy: asPicture),
        Brand(brand: "mif1", what: "a HEIF picture", remedy: asPicture),
        Brand(brand: "msf1", what: "a HEIF picture", remedy: asPicture),
        Brand(brand: "avif", what: "an AVIF picture", remedy: asPicture),
        Brand(brand: "avis", what: "an AVIF picture", remedy: asPicture),
        Brand(brand: "crx ", what: "a raw photograph", remedy: asPicture),
        Brand(brand: "qt  ", what: "a QuickTime film", remedy: asVideo),
    ]

    static func error(for start: [UInt8]) -> MediaError {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool { start.has(text, at: offset) }
        if has("ftyp", at: 4), let brand = brands.first(where: { has($0.brand, at: 8) }) {
            return MediaError(unsupported: brand.what, remedy: brand.remedy)
        }
        let (what, remedy) = description(start, has)
        return MediaError(unsupported: what, remedy: remedy)
    }

    private static func description(
        _ start: [UInt8], _ has: (StaticString, Int) -> Bool
    ) -> (what: String, remedy: String) {
        if has("%PDF", 0) { return ("a PDF document", "export its pages as PNG pictures, and upload those") }
        if isMarkup(start) {
            return (
                "SVG, HTML or other markup, which may have programs in it",
                "export the drawing as PNG, and upload that file"
            )
        }
        if has("II*\0", 0) || has("MM\0*", 0) { return ("a TIFF picture or a raw photograph", asPicture) }
        if has("BM", 0) { return ("a BMP picture", asPicture) }
        if has("8BPS", 0) { return ("a Photoshop document", asPicture) }
        if start.starts(with: [0xFF, 0x0A]) || has("JXL ", 4) { return ("a JPEG XL picture", asPicture) }
        if has("jP  ", 4) { return ("a JPEG 2000 picture", asPicture) }
        if has("RIFF", 0), has("WAVE", 8) { return ("a WAV sound", asSound) }
        if has("fLaC", 0) { return ("a FLAC sound", asSound) }
        if has("RIFF", 0) { return ("an AVI film", asVideo) }
        if start.starts(with: [0x30, 0x26, 0xB2, 0x75]) { return ("a Windows Media file", asVideo) }
        if has("PK\u{3}\u{4}", 0) {
            return (
                "a ZIP archive or an Office document", "unpack it, or save its pictures on their own, and upload those"
            )
        }
        if start.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 9 || $0 == 10 || $0 == 13 || $0 >= 0xC2 }) {
            return ("text", "choose a picture, a video, a sound, or captions that begin with WEBVTT")
        }
        return ("of an unknown kind", "use JPEG, PNG, WebP or GIF, MP4 or WebM, MP3, M4A or Ogg, or WebVTT")
    }

    private static func isMarkup(_ start: [UInt8]) -> Bool {
        let bytes = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return bytes.first { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: "<")
    }
}
