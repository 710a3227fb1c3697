/// The frames of an MP3 file. The tags before and after them, with names, pictures and comments, are removed.
enum MP3Recording {
    /// The most octets after the last frame that may be tags or an incomplete frame.
    private static let longestTail: Int64 = 1 << 16
    private static let fewestFrames = 3

    static func read(_ file: inout FileReader) throws(MediaError) -> RecordingStructure {
        let start = try endOfTags(&file)
        var place = start
        var frames = 0
        var kind: UInt8?
        while place + 4 <= file.count, let frame = MPEGFrame(try file.octets(at: place, 4)),
            kind ?? frame.kind == frame.kind, place + Int64(frame.length) <= file.count
        {
            kind = frame.kind
            frames += 1
            place += Int64(frame.length)
        }
        guard frames >= fewestFrames else { throw MediaError(damaged: "it has no sound") }
        guard file.count - place <= longestTail else { throw MediaError(damaged: "a frame of sound is wrong") }
        var structure = RecordingStructure(mediaType: "audio/mpeg")
        try structure.kept.keep(start..<place)
        return structure
    }

    /// The end of the ID3v2 tags. Each tag has its length in four times seven bits.
    private static func endOfTags(_ file: inout FileReader) throws(MediaError) -> Int64 {
        var place: Int64 = 0
        while place + 10 <= file.count, try file.octets(at: place, 3).elementsEqual("ID3".utf8) {
            let flags = try file.octet(at: place + 5)
            var length: Int64 = 0
            for octet in try file.octets(at: place + 6, 4) { length = length << 7 | Int64(octet & 0x7F) }
            place += 10 + length + (flags & 0x10 == 0 ? 0 : 10)
        }
        // Encoders pad with zeros.
        while place < file.count, try file.octet(at: place) == 0 { place += 1 }
        return place
    }
}
