import Text

/// The helper's reason for refusing a picture: its code, and the message of libvips for the log.
struct HelperFailure: Decodable {
    enum Kind: String, Decodable {
        case pixels
        case unsupported
        case damaged
        case area
        case library
        case writing
        case memory
    }

    var error: Kind
    var detail: String
    var width: Int?
    var height: Int?

    func error(_ limits: MediaLimits) -> MediaError {
        let detail = excerpt(self.detail, 300)
        return switch error {
        case .pixels: MediaError(tooManyPixels: width ?? 0, height ?? 0, limits)
        case .unsupported: MediaError(unsupported: "of an unknown kind", remedy: Refusal.asPicture)
        case .damaged: MediaError(damaged: "it cannot be decoded as a whole")
        case .area:
            MediaError(
                .wrongArea, "the rectangle is not within the picture", remedy: "choose a part of the picture")
        case .library:
            MediaError(
                .libraryMissing, "pictures cannot be decoded: \(detail)", arguments: [detail],
                remedy: "install libvips: apt-get install libvips42 (Debian 13: libvips42t64)")
        case .writing:
            MediaError(
                .full, "the new picture cannot be written: \(detail)", arguments: [detail],
                remedy: "make room on the server's disk")
        case .memory:
            MediaError(
                .tooSlow, "decoding the picture takes too much memory",
                remedy: "save it again with fewer pixels or frames, and upload that file")
        }
    }
}

extension MediaError {
    init(tooManyPixels width: Int, _ height: Int, _ limits: MediaLimits) {
        let most = "\(limits.pixels / 1_000_000)"
        self.init(
            .tooManyPixels, "the picture has \(width) × \(height) pixels; at most \(most) million are allowed",
            arguments: ["\(width)", "\(height)", most], remedy: "make it smaller, and upload it again")
    }
}
