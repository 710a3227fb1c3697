/// The task of the helper for one picture.
enum ImageJob: Hashable, Sendable {
    /// Decodes the whole picture.
    case inspect
    /// Saves it again, upright.
    ///
    /// - orientation: 1 to 8, as in EXIF.
    case turn(orientation: Int)
    case crop(PictureArea)
    /// Makes a WebP of this width, or of the picture's width if that is smaller.
    case thumbnail(width: Int)

    var arguments: [String] {
        switch self {
        case .inspect: ["inspect"]
        case .turn(let orientation): ["turn", "\(orientation)"]
        case .crop(let area): ["crop", "\(area.left)", "\(area.top)", "\(area.width)", "\(area.height)"]
        case .thumbnail(let width): ["thumbnail", "\(width)"]
        }
    }
}
