/// The boxes of an MP4 file (ISO/IEC 14496-12).
///
/// Metadata boxes are replaced by free space of the same size, so that all offsets in the file stay right.
enum MP4Recording {
    static func read(_ file: inout FileReader) throws(MediaError) -> RecordingStructure {
        var reading = Reading()
        guard try box(at: 0, before: file.count, &file).type == "ftyp" else { throw MediaError(damaged: "its start") }
        try reading.boxes(0..<file.count, inside: "", depth: 0, &file)
        guard reading.hasMovie, reading.hasData else {
            throw MediaError(
                damaged: "its \(reading.hasMovie ? "pictures and sounds are" : "table of contents is") missing")
        }
        guard reading.hasVideo || reading.hasSound else { throw MediaError(damaged: "it has no picture and no sound") }
        var structure = RecordingStructure(mediaType: reading.hasVideo ? "video/mp4" : "audio/mp4")
        if reading.hasVideo { (structure.width, structure.height) = (reading.width, reading.height) }
        var place: Int64 = 0
        for (start, header, end) in reading.blanked {
            try structure.kept.keep(place..<start + 4)
            try structure.kept.add(.octets(Array("free".utf8)))
            // A size of 64 bits follows the type.
            if header > 8 { try structure.kept.keep(start + 8..<start + header) }
            try structure.kept.add(.zeros(end - start - header))
            place = end
        }
        if place < file.count { try structure.kept.keep(place..<file.count) }
        return structure
    }

    struct Box {
        var type: String
        var range: Range<Int64>
        var content: Range<Int64>
    }

    static func box(at start: Int64, before end: Int64, _ file: inout FileReader) throws(MediaError) -> Box {
        guard end - start >= 8 else { throw MediaError(damaged: "a box is too short") }
        let type = String(decoding: try file.octets(at: start + 4, 4), as: UTF8.self)
        var (size, header) = (Int64(try file.big(at: start, 4)), Int64(8))
        if size == 1 {
            guard end - start >= 16, let long = Int64(exactly: try file.big(at: start + 8, 8)) else {
                throw MediaError(damaged: "a box is too long")
            }
            (size, header) = (long, 16)
        } else if size == 0 {
            // The box extends to the end of the file.
            size = end - start
        }
        guard size >= header, size <= end - start else { throw MediaError(damaged: "the box \(printableType(type))") }
        return Box(type: type, range: start..<start + size, content: start + header..<start + size)
    }

    static func printableType(_ type: String) -> String {
        String(type.unicodeScalars.map { $0.isASCII && $0.value >= 32 && $0.value < 127 ? Character($0) : "?" })
    }
}
