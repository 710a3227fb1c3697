/// Checks captions in WebVTT (W3C, WebVTT, section 4), line by line.
enum Captions {
    private static let mostCues = 20_000

    /// - Throws: `.damaged` with the line that is wrong.
    static func check(_ octets: [UInt8]) throws(MediaError) {
        guard let text = String(validating: octets, as: UTF8.self), !octets.contains(0) else {
            throw MediaError(damaged: "it is no text in UTF-8")
        }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        guard var first = lines.first else { throw MediaError(damaged: "line 1 must be WEBVTT") }
        if first.hasPrefix("\u{FEFF}") { first = first.dropFirst() }
        guard first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t") else {
            throw MediaError(damaged: "line 1 must be WEBVTT")
        }
        var (cues, last) = (0, 0)
        for (index, line) in lines.enumerated() where line.utf8.contains("-->".utf8) {
            guard let start = times(line), start >= last else {
                throw MediaError(
                    damaged: "line \(index + 1) must be like 00:01.000 --> 00:04.000, and no earlier than before")
            }
            last = start
            cues += 1
        }
        guard cues > 0 else { throw MediaError(damaged: "it has no captions") }
        guard cues <= mostCues else { throw MediaError(damaged: "it has too many captions") }
    }

    /// The start of a cue in milliseconds; nil if the line is wrong or the cue does not end after its start.
    private static func times(_ line: Substring) -> Int? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 3, words[1] == "-->", let start = time(words[0]), let end = time(words[2]), end > start
        else { return nil }
        return start
    }

    /// `01:02:03.004` or `02:03.004`, in milliseconds.
    private static func time(_ text: Substring) -> Int? {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].utf8.count == 3, let rest = number(halves[1]) else { return nil }
        let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count) else { return nil }
        var seconds = 0
        for (index, field) in fields.enumerated() {
            guard let value = number(field), field.utf8.count >= 2, field.utf8.count <= 4,
                index == fields.count - 3 || value < 60
            else { return nil }
            seconds = seconds * 60 + value
        }
        return seconds * 1000 + rest
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}
