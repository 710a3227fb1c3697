import Media

extension FuzzTarget {
    /// Pictures, recordings and captions, by their structure.
    static let media = FuzzTarget(
        "media",
        words: [
            "ftypisom", "moov", "trak", "mdia", "hdlr", "stsd", "udta", "mdat", "RIFF", "WEBPVP8X", "EXIF", "IHDR",
            "iTXt",
            "IDAT", "IEND", "OggS", "OpusHead", "OpusTags", "ID3", "WEBVTT", "00:01.000 --> 00:04.000", "Exif\0\0II*\0",
            "NETSCAPE2.0",
        ], longestInput: 16_384
    ) {
        try committedSeeds("media")
    } check: { file in
        guard let clean = try refusing({ try MediaReading.cleaned(file) }) else { return }
        // Padding may stand where something was taken out.
        try require(clean.count <= file.count, "a cleaned file that is larger")
        try require(try MediaReading.cleaned(clean) == clean, "a cleaned file that is not clean")
        let type = try MediaReading.mediaType(file)
        try require(try MediaReading.mediaType(clean) == type, "a cleaned file of another type than \(type)")
    }

    /// What the program that decodes pictures answers. A picture may have taken control of it.
    static let pictureFacts = FuzzTarget(
        "picture-facts",
        words: [
            "\"format\":", "\"gif\"", "\"width\":", "\"height\":", "\"likeness\":", "\"error\":", "\"library\"",
            "\"memory\"", "\"detail\":", "null", "-0", "1e3", "9223372036854775807", "\\n", "\\u202e", "[[[[",
        ], longestInput: 1024
    ) {
        [
            #"{"format":"jpeg","width":48,"height":32,"likeness":"f0e1d2c3b4a59687"}"#,
            #"{"format":"webp","width":160,"height":107,"likeness":null}"#,
            #"{"error":"pixels","detail":"","width":60000,"height":60000}"#,
            #"{"error":"writing","detail":"VipsTarget: unable to write","width":null,"height":null}"#,
        ].map { Array($0.utf8) }
    } check: { answer in
        let limits = MediaLimits()
        guard let facts = try refusing(atMost: 4000, { try PictureFacts(answer: answer, limits) }) else { return }
        try require(facts.width > 0 && facts.height > 0, "a picture without pixels")
        try require(Int64(facts.width) <= limits.pixels / Int64(facts.height), "a picture with too many pixels")
    }
}
