/// The blocks of a GIF file (CompuServe, GIF89a).
enum GIFPicture {
    private static let mostFrames = 2000

    static func read(_ file: inout FileReader) throws(MediaError) -> PictureStructure {
        var picture = PictureStructure()
        picture.width = Int(try file.little(at: 6, 2))
        picture.height = Int(try file.little(at: 8, 2))
        var place = 13 + tableSize(try file.octet(at: 10))
        try picture.kept.keep(0..<place)
        var frames = 0
        while true {
            let start = place
            switch try file.octet(at: place) {
            case 0x2C:
                frames += 1
                guard frames <= mostFrames else { throw MediaError(damaged: "it has too many frames") }
                let table = tableSize(try file.octet(at: place + 9))
                place = try endOfBlocks(from: place + 11 + table, &file)
                try picture.kept.keep(start..<place)
            case 0x21:
                let label = try file.octet(at: place + 1)
                place = try endOfBlocks(from: place + 2, &file)
                if try isNeeded(label, at: start, &file) { try picture.kept.keep(start..<place) }
            case 0x3B:
                guard frames > 0 else { throw MediaError(damaged: "it has no pixels") }
                try picture.kept.keep(start..<start + 1)
                return picture
            default: throw MediaError(damaged: "a block is wrong")
            }
        }
    }

    private static func tableSize(_ flags: UInt8) -> Int64 {
        flags & 0x80 == 0 ? 0 : 3 << (Int64(flags & 7) + 1)
    }

    private static func endOfBlocks(from start: Int64, _ file: inout FileReader) throws(MediaError) -> Int64 {
        var place = start
        while true {
            let length = try file.octet(at: place)
            place += 1 + Int64(length)
            if length == 0 { return place }
        }
    }

    /// Needed are the duration of frames and the number of repeats, but not comments and data of other programs.
    private static func isNeeded(_ label: UInt8, at start: Int64, _ file: inout FileReader) throws(MediaError) -> Bool {
        switch label {
        case 0xF9: return true
        case 0xFF:
            guard try file.octet(at: start + 2) == 11 else { return false }
            let name = try file.octets(at: start + 3, 11)
            return name.has("NETSCAPE2.0") || name.has("ANIMEXTS1.0")
        default: return false
        }
    }
}
