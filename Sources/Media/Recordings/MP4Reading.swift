extension MP4Recording {
    /// The results of reading the boxes.
    struct Reading {
        var hasMovie = false
        var hasData = false
        var hasVideo = false
        var hasSound = false
        var width: Int?
        var height: Int?
        /// The boxes to be emptied: their start, the length of their header, and their end.
        var blanked: [(start: Int64, header: Int64, end: Int64)] = []
        private var count = 0
        /// The handler of the track that is being read.
        private var handler = ""
        private var size: (Int, Int)?
        private var codec = ""

        private static let mostBoxes = 100_000
        private static let topLevel: Set = [
            "ftyp", "moov", "mdat", "free", "skip", "wide", "moof", "mfra", "sidx", "ssix", "styp", "pdin", "prft",
            "emsg", "udta", "meta", "uuid",
        ]
        private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl"]
        private static let metadata: Set = ["udta", "meta", "uuid"]
        private static let videoCodecs: Set = ["avc1", "avc3", "av01", "vp08", "vp09"]
        private static let soundCodecs: Set = ["mp4a", "Opus", "fLaC", ".mp3"]
        /// Tracks of text, time codes and hints. They are kept without a check of their codec.
        private static let texts: Set = ["text", "sbtl", "subt", "clcp", "tmcd", "hint"]

        mutating func boxes(
            _ range: Range<Int64>, inside parent: String, depth: Int, _ file: inout FileReader
        ) throws(MediaError) {
            var place = range.lowerBound
            while place < range.upperBound {
                let box = try MP4Recording.box(at: place, before: range.upperBound, &file)
                count += 1
                guard count <= Self.mostBoxes else { throw MediaError(damaged: "it has too many boxes") }
                guard depth > 0 || Self.topLevel.contains(box.type) else {
                    throw MediaError(damaged: "the box \(MP4Recording.printableType(box.type))")
                }
                try take(box, inside: parent, depth: depth, &file)
                place = box.range.upperBound
            }
        }

        private mutating func take(
            _ box: Box, inside parent: String, depth: Int, _ file: inout FileReader
        ) throws(MediaError) {
            if Self.metadata.contains(box.type) || box.type == "free" || box.type == "skip" {
                let header = box.content.lowerBound - box.range.lowerBound
                blanked.append((box.range.lowerBound, header, box.range.upperBound))
                return
            }
            switch box.type {
            case "mdat": hasData = true
            case "moov": hasMovie = true
            case "trak": (handler, size, codec) = ("", nil, "")
            case "hdlr" where parent == "mdia":
                guard box.content.count >= 12 else { throw MediaError(damaged: "the box hdlr") }
                handler = String(decoding: try file.octets(at: box.content.lowerBound + 8, 4), as: UTF8.self)
            case "tkhd" where parent == "trak":
                // Width and height are its last eight octets, each as a 16.16 fixed-point number.
                guard box.content.count >= 84 else { throw MediaError(damaged: "the box tkhd") }
                size = (
                    Int(try file.big(at: box.range.upperBound - 8, 2)),
                    Int(try file.big(at: box.range.upperBound - 4, 2))
                )
            case "stsd": try readCodec(box, &file)
            default: break
            }
            if Self.containers.contains(box.type), depth < 8 {
                try boxes(box.content, inside: box.type, depth: depth + 1, &file)
            }
            if box.type == "trak" { try endOfTrack() }
        }

        private mutating func readCodec(_ box: Box, _ file: inout FileReader) throws(MediaError) {
            let entries = box.content.lowerBound + 8
            guard entries < box.content.upperBound else { throw MediaError(damaged: "the box stsd") }
            codec = try MP4Recording.box(at: entries, before: box.content.upperBound, &file).type
        }

        private func check(_ codecs: Set<String>, isSound: Bool) throws(MediaError) {
            guard codecs.contains(codec) else {
                throw MediaError(codec: MP4Recording.printableType(codec), isSound: isSound)
            }
        }

        private mutating func endOfTrack() throws(MediaError) {
            switch handler {
            case "vide":
                hasVideo = true
                try check(Self.videoCodecs, isSound: false)
                if width == nil, let size, size.0 > 0, size.1 > 0 { (width, height) = size }
            case "soun":
                hasSound = true
                try check(Self.soundCodecs, isSound: true)
            case let text where Self.texts.contains(text): break
            default: throw MediaError(personal: "a track of measurements")
            }
        }
    }
}
