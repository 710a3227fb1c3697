import CVips
import Glibc

/// The picture at standard input.
struct Picture {
    private let vips: VipsLibrary
    private let request: Request
    private var calls: cvips { vips.calls }
    /// The best that changes nothing one could see; pictures are saved again only if they have to be turned or cut.
    private static let quality: Int32 = 92
    private static let thumbnailQuality: Int32 = 78

    init(_ vips: VipsLibrary, _ request: Request) {
        self.vips = vips
        self.request = request
    }

    func run(_ job: PictureJob) throws(Failure) -> Facts {
        let (format, width, height) = try header()
        switch job {
        case .inspect:
            try decode(format)
            return Facts(
                format: format, width: width, height: height,
                likeness: try likeness(of: try open(Int32(CVIPS_ACCESS_SEQUENTIAL))))
        case .turn(let orientation):
            guard (1...8).contains(orientation) else { throw Failure(.area) }
            let picture = try open(Int32(CVIPS_ACCESS_RANDOM))
            return try saved(try check(cvips_upright(pointer, picture, Int32(orientation))), format)
        case .crop(let left, let top, let areaWidth, let areaHeight):
            guard left >= 0, top >= 0, areaWidth > 0, areaHeight > 0, areaWidth <= width, areaHeight <= height,
                left <= width - areaWidth, top <= height - areaHeight
            else { throw Failure(.area) }
            let part = cvips_area(
                pointer, try open(Int32(CVIPS_ACCESS_RANDOM)), Int32(left), Int32(top), Int32(areaWidth),
                Int32(areaHeight))
            return try saved(try check(part), format == .gif ? .png : format)
        case .thumbnail(let thumbnailWidth):
            guard (1...4096).contains(thumbnailWidth) else { throw Failure(.area) }
            let picture = try check(cvips_thumbnail(pointer, try source(), Int32(thumbnailWidth)))
            try save(picture, .webp, quality: Self.thumbnailQuality)
            return facts(picture, .webp)
        }
    }

    // MARK: - Reading

    private var pointer: UnsafePointer<cvips> { UnsafePointer(vips.pointer) }

    private func source() throws(Failure) -> OpaquePointer {
        guard lseek(0, 0, SEEK_SET) == 0, let source = calls.source_new_from_descriptor(0) else {
            throw vips.failure(.damaged)
        }
        return source
    }

    /// Reads the header only: a picture with too many pixels is refused before any memory is taken for it.
    private func header() throws(Failure) -> (Format, width: Int, height: Int) {
        guard let loader = calls.foreign_find_load_source(try source()),
            let format = Format(loader: String(cString: loader))
        else { throw vips.failure(.unsupported) }
        let picture = try check(cvips_open(pointer, try source(), Int32(CVIPS_ACCESS_SEQUENTIAL), 0))
        let (width, height) = (Int(calls.image_get_width(picture)), Int(calls.image_get_height(picture)))
        guard width > 0, height > 0 else { throw vips.failure(.damaged) }
        guard width <= request.pixels / height else { throw Failure(tooManyPixels: width, height) }
        return (format, width, height)
    }

    /// Decodes every pixel of every frame.
    private func decode(_ format: Format) throws(Failure) {
        let all = try check(
            cvips_open(
                pointer, try source(), Int32(CVIPS_ACCESS_SEQUENTIAL), format.hasFrames ? 1 : 0))
        let (width, height) = (Int(calls.image_get_width(all)), Int(calls.image_get_height(all)))
        guard width <= request.pixels * 4 / max(1, height) else { throw Failure(tooManyPixels: width, height) }
        guard cvips_decode(pointer, all) == 0 else { throw vips.failure(.damaged) }
    }

    /// The first frame. Access in sequence needs memory for some lines only.
    private func open(_ access: Int32) throws(Failure) -> OpaquePointer {
        try check(cvips_open(pointer, try source(), access, 0))
    }

    private func check(_ picture: OpaquePointer?) throws(Failure) -> OpaquePointer {
        guard let picture else { throw vips.failure(.damaged) }
        return picture
    }

    // MARK: - Results

    /// 64 bits: whether each of 8 × 8 places is brighter than its right neighbour, in a grey version of 9 × 8 pixels.
    private func likeness(of picture: OpaquePointer) throws(Failure) -> UInt64 {
        var count = 0
        guard let grey = cvips_grey(pointer, picture, 9, 8, &count), count >= 72 else { throw vips.failure(.damaged) }
        var bits: UInt64 = 0
        for row in 0..<8 {
            for column in 0..<8 {
                bits = bits << 1 | (grey[row * 9 + column] > grey[row * 9 + column + 1] ? 1 : 0)
            }
        }
        return bits
    }

    private func saved(_ picture: OpaquePointer, _ format: Format) throws(Failure) -> Facts {
        try save(picture, format, quality: Self.quality)
        var facts = facts(picture, format)
        facts.likeness = try likeness(of: picture)
        return facts
    }

    private func save(_ picture: OpaquePointer, _ format: Format, quality: Int32) throws(Failure) {
        let picture = try check(cvips_srgb(pointer, picture))
        guard let target = calls.target_new_to_descriptor(3) else { throw vips.failure(.writing) }
        let result =
            switch format {
            case .jpeg: cvips_save_jpeg(pointer, picture, target, quality)
            case .png, .gif: cvips_save_png(pointer, picture, target)
            case .webp: cvips_save_webp(pointer, picture, target, quality)
            }
        guard result == 0 else { throw vips.failure(.damaged) }
    }

    private func facts(_ picture: OpaquePointer, _ format: Format) -> Facts {
        Facts(
            format: format, width: Int(calls.image_get_width(picture)), height: Int(calls.image_get_height(picture)))
    }
}
