/// The chunks of a WebP file (RFC 9649, section 2).
enum WebPPicture {
    private static let needed: Set = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]
    /// The bits of VP8X that announce EXIF and XMP.
    private static let metadata: UInt8 = 0x08 | 0x04

    static func read(_ file: inout FileReader) throws(MediaError) -> PictureStructure {
        var picture = PictureStructure()
        let size = Int64(try file.little(at: 4, 4))
        let fileEnd = 8 + size
        guard size >= 12, fileEnd <= file.count else { throw MediaError(damaged: "it ends too early") }
        var kept: [Range<Int64>] = []
        var flags: UInt8?
        var place: Int64 = 12
        while place < fileEnd {
            let type = String(decoding: try file.octets(at: place, 4), as: UTF8.self)
            let length = Int64(try file.little(at: place + 4, 4))
            let end = place + 8 + length + length % 2
            guard end <= fileEnd else { throw MediaError(damaged: "it ends too early") }
            if needed.contains(type) {
                if let last = kept.last, last.upperBound == place {
                    kept[kept.count - 1] = last.lowerBound..<end
                } else {
                    kept.append(place..<end)
                }
            }
            switch type {
            case "VP8X":
                guard place == 12, length == 10 else { throw MediaError(damaged: "its header") }
                flags = try file.octet(at: place + 8)
                picture.width = Int(try file.little(at: place + 12, 3)) + 1
                picture.height = Int(try file.little(at: place + 15, 3)) + 1
            // What a chunk is too short for would be read from the next one, which may be left out.
            case "VP8 " where picture.width == 0:
                guard length >= 10 else { throw MediaError(damaged: "its header") }
                picture.width = Int(try file.little(at: place + 14, 2) & 0x3FFF)
                picture.height = Int(try file.little(at: place + 16, 2) & 0x3FFF)
            case "VP8L" where picture.width == 0:
                guard length >= 5 else { throw MediaError(damaged: "its header") }
                let bits = try file.little(at: place + 9, 4)
                picture.width = Int(bits & 0x3FFF) + 1
                picture.height = Int(bits >> 14 & 0x3FFF) + 1
            case "EXIF":
                let content = try file.octets(at: place + 8, Int(min(length, 1 << 16)))
                let tiff = content.has("Exif\0\0") ? content.dropFirst(6) : content
                picture.orientation = ExifOrientation.read(tiff) ?? picture.orientation
            default: break
            }
            place = end
        }
        picture.kept = try parts(kept, of: size, flags: flags)
        return picture
    }

    /// Builds a file of these chunks, with a matching header.
    ///
    /// - Parameters:
    ///   - size: the size in the existing header.
    ///   - flags: the flags of VP8X; nil if there is no such chunk.
    private static func parts(
        _ kept: [Range<Int64>], of size: Int64, flags: UInt8?
    ) throws(MediaError) -> KeptParts {
        var parts = KeptParts()
        let total = kept.reduce(4) { $0 + Int64($1.count) }
        if total == size {
            try parts.keep(0..<12)
        } else {
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: total >> ($0 * 8)) }
            try parts.add(.octets(Array("RIFF".utf8) + octets + Array("WEBP".utf8)))
        }
        for range in kept {
            if range.lowerBound == 12, let flags, flags & metadata != 0 {
                try parts.keep(12..<20)
                try parts.add(.octets([flags & ~metadata]))
                try parts.keep(21..<range.upperBound)
            } else {
                try parts.keep(range)
            }
        }
        return parts
    }
}
