/// The chunks of a PNG file (W3C, PNG 3rd edition, section 5).
enum PNGPicture {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Pixels and colours. Of an animation, only the still picture is kept, because the other frames are not decoded
    /// here.
    private static let needed: Set = [
        "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD", "pHYs",
    ]
    private static let longestProfile: Int64 = 1 << 20

    static func read(_ file: inout FileReader) throws(MediaError) -> PictureStructure {
        var picture = PictureStructure()
        guard try file.octets(at: 0, 8).elementsEqual(signature) else { throw MediaError(damaged: "its start") }
        try picture.kept.keep(0..<8)
        var place: Int64 = 8
        var hasPixels = false
        while true {
            let length = Int64(try file.big(at: place, 4))
            let type = String(decoding: try file.octets(at: place + 4, 4), as: UTF8.self)
            let end = place + 12 + length
            guard length < 1 << 31, end <= file.count else { throw MediaError(damaged: "it ends too early") }
            guard (type == "IHDR") == (place == 8) else { throw MediaError(damaged: "its header") }
            switch type {
            case "IHDR":
                guard length == 13 else { throw MediaError(damaged: "its header") }
                picture.width = Int(try file.big(at: place + 8, 4))
                picture.height = Int(try file.big(at: place + 12, 4))
            case "IDAT": hasPixels = true
            case "eXIf":
                let content = try file.octets(at: place + 8, Int(min(length, 1 << 16)))
                picture.orientation = ExifOrientation.read(content) ?? picture.orientation
            default: break
            }
            if needed.contains(type), type != "iCCP" || length <= longestProfile {
                try picture.kept.keep(place..<end)
            } else if type.utf8.first.map({ $0 & 0x20 == 0 }) ?? true {
                // A decoder must not show a picture with a critical chunk that it does not know.
                throw MediaError(damaged: "it has a part that is no PNG's")
            }
            place = end
            guard type != "IEND" else { break }
        }
        guard hasPixels else { throw MediaError(damaged: "it has no pixels") }
        return picture
    }
}
