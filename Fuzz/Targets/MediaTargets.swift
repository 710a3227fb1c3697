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
}
