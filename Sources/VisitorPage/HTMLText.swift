import Text

/// Prepares text from any source for use in a page.
enum HTMLText {
    /// Text without markup, in elements and in quoted attributes. Control characters are removed, and so are marks that
    /// would change the direction of the following text.
    static func escaped(_ text: String) -> String {
        escapedMarkup(text.unicodeScalars.lazy.filter { !isMark($0) })
    }

    /// A name within other text. It has its own direction, and is cut at 200 characters.
    static func name(_ text: String) -> String {
        "<bdi>\(escaped(text.count > 200 ? String(text.prefix(200)) + "…" : text))</bdi>"
    }

    /// The direction of a text by its first letter: `rtl` for Hebrew, Arabic and other scripts that are written from
    /// right to left.
    static func direction(of text: String) -> String {
        guard let letter = text.unicodeScalars.first(where: { $0.properties.isAlphabetic }) else { return "ltr" }
        let runs: [ClosedRange<UInt32>] = [
            0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
        ]
        return runs.contains { $0.contains(letter.value) } ? "rtl" : "ltr"
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
