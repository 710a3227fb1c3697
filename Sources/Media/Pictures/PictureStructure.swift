/// A picture's file read by its structure, before it is decoded: its size, and what of it is needed to show it.
///
/// Places, names, comments, previews and whatever follows the picture's end are not needed. Colour profiles are.
struct PictureStructure: Hashable, Sendable {
    var width = 0
    var height = 0
    var kept = KeptParts()
    /// As EXIF has it: 1 is upright. The turn itself is lost with the rest of EXIF, so the picture has to be turned.
    var orientation = 1

    /// Reads a file of a kind.
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
        let (product, isTooLarge) = Int64(width).multipliedReportingOverflow(by: Int64(height))
        guard !isTooLarge, product <= limits.pixels else {
            throw MediaError(tooManyPixels: width, height, limits)
        }
    }
}
