import Text

enum Format: String {
    case jpeg
    case png
    case webp
    case gif

    var hasFrames: Bool { self == .gif || self == .webp }

    /// - Parameter loader: libvips's name, such as `VipsForeignLoadJpegSource`.
    init?(loader: String) {
        let formats = ["Jpeg": Format.jpeg, "Png": .png, "Webp": .webp, "Nsgif": .gif]
        guard let found = formats.first(where: { loader.hasPrefix("VipsForeignLoad\($0.key)") }) else { return nil }
        self = found.value
    }
}

/// What is known of a picture.
struct Facts {
    var format: Format
    var width: Int
    var height: Int
    /// Nil where nobody asks for it.
    var likeness: UInt64?

    func write(_ json: inout JSONText) {
        json.value("format", format.rawValue)
        json.value("width", width)
        json.value("height", height)
        json.value("likeness", likeness.map { String($0, radix: 16) })
    }
}
