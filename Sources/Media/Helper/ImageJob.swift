/// What the helper is to do with a picture.
enum ImageJob: Hashable, Sendable {
    /// Decode all of it.
    case inspect
    /// Save it again, upright.
    ///
    /// - orientation: 1 to 8, as EXIF has it.
    case turn(orientation: Int)
    case crop(PictureArea)
    /// A WebP of this width, or smaller if the picture is.
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
