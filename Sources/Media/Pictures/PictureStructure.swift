/// The structure of a picture's file, read before it is decoded: its size, and the parts that are needed to show it.
///
/// Locations, names, comments, previews and data after the picture's end are not needed. Colour profiles are.
struct PictureStructure: Hashable, Sendable {
    var width = 0
    var height = 0
    var kept = KeptParts()
    /// As in EXIF; 1 is upright. This value is removed with the rest of EXIF, so the picture itself has to be turned.
    var orientation = 1

    /// Reads the structure of a file of this kind.
    init(_ kind: FileKind, _ file: inout FileReader) throws(MediaError) {
        switch kind {
        case .jpeg: self = try JPEGPicture.read(&file)
        case .png: self = try PNGPicture.read(&file)
        case .webp: self = try WebPPicture.read(&file)
        case .gif: self = try GIFPicture.read(&file)
        default: throw MediaError(damaged: "it is no picture")
        }
    }

    init() {}

    /// - Throws: `.tooManyPixels`.
    func check(_ limits: MediaLimits) throws(MediaError) {
        guard width > 0, height > 0 else { throw MediaError(damaged: "it has no pixels") }
        guard limits.allowPicture(width: width, height: height) else {
            throw MediaError(tooManyPixels: width, height, limits)
        }
    }
}
