/// The segments of a JPEG file (ITU-T T.81, annex B).
enum JPEGPicture {
    /// A progressive picture has about ten scans. A decoder goes through all pixels for each scan.
    private static let mostScans = 100

    static func read(_ file: inout FileReader) throws(MediaError) -> PictureStructure {
        var picture = PictureStructure()
        try picture.kept.keep(0..<2)
        var place: Int64 = 2
        var scans = 0
        while true {
            guard try file.octet(at: place) == 0xFF else { throw MediaError(damaged: "a marker is missing") }
            let start = place
            // Any number of these octets may come before a marker.
            while try file.octet(at: place) == 0xFF { place += 1 }
            let marker = try file.octet(at: place)
            place += 1
            if marker == 0xD9 {
                guard scans > 0 else { throw MediaError(damaged: "it has no pixels") }
                try picture.kept.keep(start..<place)
                return picture
            }
            let length = Int64(try file.big(at: place, 2))
            guard length >= 2, marker >= 0xC0, !(0xD0...0xD8).contains(marker) else {
                throw MediaError(damaged: "a marker is wrong")
            }
            let end = place + length
            let body = place + 2..<end
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard length >= 8 else { throw MediaError(damaged: "its header") }
                picture.height = Int(try file.big(at: place + 3, 2))
                picture.width = Int(try file.big(at: place + 5, 2))
                try picture.kept.keep(start..<end)
            case 0xE0...0xEF, 0xFE:
                let content = try file.octets(at: body.lowerBound, Int(length - 2))
                if isNeeded(marker, content) { try picture.kept.keep(start..<end) }
                if marker == 0xE1, content.has("Exif\0\0") {
                    picture.orientation = ExifOrientation.read(content.dropFirst(6)) ?? picture.orientation
                }
            default: try picture.kept.keep(start..<end)
            }
            place = end
            guard marker == 0xDA else { continue }
            scans += 1
            guard scans <= mostScans else { throw MediaError(damaged: "it has too many scans") }
            place = try endOfScan(from: place, &file)
            try picture.kept.keep(end..<place)
        }
    }

    /// The position of the next marker that is neither a restart marker nor a stuffed octet.
    private static func endOfScan(from start: Int64, _ file: inout FileReader) throws(MediaError) -> Int64 {
        var place = start
        while let found = try file.next(0xFF, from: place) {
            guard found + 1 < file.count else { break }
            let next = try file.octet(at: found + 1)
            guard next == 0 || next == 0xFF || (0xD0...0xD7).contains(next) else { return found }
            place = found + (next == 0xFF ? 1 : 2)
        }
        throw MediaError(damaged: "its end is missing")
    }

    /// Needed are JFIF, a colour profile, and Adobe's marker about the colour encoding. Everything else is metadata.
    private static func isNeeded(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
        switch marker {
        // Only without a preview.
        case 0xE0: content.has("JFIF\0") && content.count == 14
        case 0xE2: content.has("ICC_PROFILE\0")
        case 0xEE: content.has("Adobe") && content.count == 12
        default: false
        }
    }
}
