/// The pages of an Ogg file (RFC 3533) with Opus or Vorbis sound.
///
/// The comments, which may contain names, locations and pictures, are emptied. The packet keeps its length, and its
/// pages get new checksums.
enum OggRecording {
    static func read(_ file: inout FileReader) throws(MediaError) -> RecordingStructure {
        var structure = RecordingStructure(mediaType: "audio/ogg")
        var place: Int64 = 0
        var serial: UInt64?
        var comments: OggComments?
        var number = 0
        while place < file.count {
            let page = try OggPage(at: place, &file)
            if number == 0 {
                guard page.isFirst else { throw MediaError(damaged: "its first page") }
                comments = OggComments(codec: try codec(page, &file))
                serial = page.serial
            } else {
                guard page.serial == serial else {
                    throw MediaError(unsupported: "Ogg with more than one stream", remedy: Refusal.asSound)
                }
            }
            if number > 0, let octets = try comments?.emptied(page, &file) {
                try structure.kept.add(.octets(octets))
            } else {
                try structure.kept.keep(page.range)
            }
            place = page.range.upperBound
            number += 1
        }
        guard number >= 3, comments?.isDone == true else { throw MediaError(damaged: "it has no sound") }
        return structure
    }

    private static func codec(_ page: OggPage, _ file: inout FileReader) throws(MediaError) -> OggComments.Codec {
        let start = try file.octets(at: page.content.lowerBound, Int(min(8, page.content.count)))
        if start.has("OpusHead") { return .opus }
        if start.has("\u{1}vorbis") { return .vorbis }
        throw MediaError(unsupported: "Ogg that is neither Opus nor Vorbis", remedy: Refusal.asSound)
    }
}
