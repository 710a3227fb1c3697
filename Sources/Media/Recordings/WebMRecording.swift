/// The elements of a WebM file (RFC 8794, RFC 9559).
///
/// Tags are replaced by Void elements of the same size, so that all offsets in the file stay right.
enum WebMRecording {
    private static let header: UInt64 = 0x1A45_DFA3
    private static let segment: UInt64 = 0x1853_8067
    private static let cluster: UInt64 = 0x1F43_B675
    private static let tracks: UInt64 = 0x1654_AE6B
    private static let tags: UInt64 = 0x1254_C367
    private static let attachments: UInt64 = 0x1941_A469
    private static let info: UInt64 = 0x1549_A966
    /// Title and date, in Info.
    private static let named: Set<UInt64> = [0x7BA9, 0x4461]
    /// SeekHead, Cues, Chapters, Void, CRC-32.
    private static let passed: Set<UInt64> = [0x114D_9B74, 0x1C53_BB6B, 0x1043_A770, 0xEC, 0xBF]
    /// The elements of a cluster: Timestamp, SimpleBlock, BlockGroup, PrevSize, Position, EncryptedBlock, SilentTracks.
    /// If a cluster has no size, its elements are read as if they were the segment's.
    private static let inCluster: Set<UInt64> = [0xE7, 0xA3, 0xA0, 0xAB, 0xA7, 0xAF, 0x5854]
    private static let mostElements = 2_000_000

    static func read(_ file: inout FileReader) throws(MediaError) -> RecordingStructure {
        let head = try element(at: 0, &file)
        guard head.id == header, let headEnd = head.end else { throw MediaError(damaged: "its start") }
        var documentType = ""
        try children(head.content..<headEnd, &file) { (child, file) throws(MediaError) in
            guard child.id == 0x4282, let end = child.end, end - child.content <= 16 else { return }
            let octets = try file.octets(at: child.content, Int(end - child.content))
            documentType = String(decoding: octets.filter { $0 != 0 }, as: UTF8.self)
        }
        guard documentType == "webm" else {
            throw MediaError(unsupported: "a Matroska film", remedy: Refusal.asVideo)
        }
        let body = try element(at: headEnd, &file)
        guard body.id == segment, body.end.map({ $0 == file.count }) ?? true else {
            throw MediaError(damaged: "its segment")
        }
        var reading = Reading()
        reading.kept = try kept(0..<body.content)
        var place = body.content
        var count = 0
        while place < file.count {
            count += 1
            guard count <= mostElements else { throw MediaError(damaged: "it has too many elements") }
            place = try take(try element(at: place, &file), at: place, &reading, &file)
        }
        guard reading.hasClusters, reading.hasVideo || reading.hasSound else {
            throw MediaError(damaged: "it has no picture and no sound")
        }
        var structure = RecordingStructure(mediaType: reading.hasVideo ? "video/webm" : "audio/webm")
        if reading.hasVideo { (structure.width, structure.height) = (reading.width, reading.height) }
        structure.kept = reading.kept
        return structure
    }

    private struct Reading {
        var kept = KeptParts()
        var hasClusters = false
        var hasVideo = false
        var hasSound = false
        var width: Int?
        var height: Int?
    }

    private static func kept(_ range: Range<Int64>) throws(MediaError) -> KeptParts {
        var parts = KeptParts()
        try parts.keep(range)
        return parts
    }

    /// - Returns: the position of the next element.
    private static func take(
        _ element: Element, at start: Int64, _ reading: inout Reading, _ file: inout FileReader
    ) throws(MediaError) -> Int64 {
        guard let end = element.end else {
            guard element.id == cluster else { throw MediaError(damaged: "an element without a size") }
            reading.hasClusters = true
            try reading.kept.keep(start..<element.content)
            return element.content
        }
        switch element.id {
        case tags:
            try blank(start..<end, &reading.kept)
            return end
        case info:
            try keepInfo(start, element.content..<end, &reading.kept, &file)
            return end
        case attachments: throw MediaError(personal: "other files")
        case cluster: reading.hasClusters = true
        case tracks: try readTracks(element.content..<end, &reading, &file)
        case _ where passed.contains(element.id) || reading.hasClusters && inCluster.contains(element.id): break
        default: throw MediaError(damaged: "an element is wrong")
        }
        try reading.kept.keep(start..<end)
        return end
    }

    private static func keepInfo(
        _ start: Int64, _ content: Range<Int64>, _ kept: inout KeptParts, _ file: inout FileReader
    ) throws(MediaError) {
        var named: [Range<Int64>] = []
        var place = content.lowerBound
        try children(content, &file) { (child, _) throws(MediaError) in
            // `children` has checked that the element has an end.
            let end = child.end ?? content.upperBound
            if Self.named.contains(child.id) {
                guard named.count < Self.mostParts else { throw MediaError(damaged: "it has too many names") }
                named.append(place..<end)
            }
            place = end
        }
        place = start
        for range in named {
            try kept.keep(place..<range.lowerBound)
            try blank(range, &kept)
            place = range.upperBound
        }
        try kept.keep(place..<content.upperBound)
    }

    private static func blank(_ range: Range<Int64>, _ kept: inout KeptParts) throws(MediaError) {
        let total = Int64(range.count)
        if total < 10 {
            try kept.add(.octets([0xEC, 0x80 | UInt8(total - 2)]))
            try kept.add(.zeros(total - 2))
        } else {
            let size = (0..<7).map { UInt8(truncatingIfNeeded: (total - 9) >> (48 - $0 * 8)) }
            try kept.add(.octets([0xEC, 0x01] + size))
            try kept.add(.zeros(total - 9))
        }
    }

    private static func readTracks(
        _ range: Range<Int64>, _ reading: inout Reading, _ file: inout FileReader
    ) throws(MediaError) {
        var found: [WebMTrack] = []
        try children(range, &file) { (entry, file) throws(MediaError) in
            guard entry.id == 0xAE, let end = entry.end else { return }
            guard found.count < Self.mostParts else { throw MediaError(damaged: "it has too many tracks") }
            found.append(try WebMTrack(entry.content..<end, &file))
        }
        for track in found {
            switch track.type {
            case 1:
                reading.hasVideo = true
                if reading.width == nil { (reading.width, reading.height) = (track.width, track.height) }
            case 2: reading.hasSound = true
            case 17: break
            default: throw MediaError(personal: "a track of measurements")
            }
        }
    }

    // MARK: - Elements

    struct Element {
        var id: UInt64
        var content: Int64
        /// Nil if the size is unknown, as in a live recording.
        var end: Int64?
    }

    /// The most tracks, and names in one element. Real recordings have few; forged ones might have millions.
    private static let mostParts = 100
    private static let mostChildren = 100_000

    static func children(
        _ range: Range<Int64>, _ file: inout FileReader,
        _ body: (Element, inout FileReader) throws(MediaError) -> Void
    ) throws(MediaError) {
        var place = range.lowerBound
        var left = mostChildren
        while place < range.upperBound {
            guard left > 0 else { throw MediaError(damaged: "an element has too many parts") }
            left -= 1
            let child = try element(at: place, &file)
            guard let end = child.end, end <= range.upperBound else {
                throw MediaError(damaged: "an element is too long")
            }
            try body(child, &file)
            place = end
        }
    }

    static func element(at start: Int64, _ file: inout FileReader) throws(MediaError) -> Element {
        let first = try file.octet(at: start)
        let idLength = first.leadingZeroBitCount + 1
        guard idLength <= 4 else { throw MediaError(damaged: "an element is wrong") }
        let id = try file.big(at: start, idLength)
        let sizeStart = start + Int64(idLength)
        let sizeLength = try file.octet(at: sizeStart).leadingZeroBitCount + 1
        guard sizeLength <= 8 else { throw MediaError(damaged: "an element is wrong") }
        let mask = UInt64(1) << (UInt64(sizeLength) * 7) - 1
        let size = try file.big(at: sizeStart, sizeLength) & mask
        let content = sizeStart + Int64(sizeLength)
        guard size != mask else { return Element(id: id, content: content, end: nil) }
        guard size <= UInt64(file.count - content) else { throw MediaError(damaged: "it ends too early") }
        return Element(id: id, content: content, end: content + Int64(size))
    }
}
