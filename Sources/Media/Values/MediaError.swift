import Text

/// Why a file is refused, or why the library cannot do something. It is shown beside the upload's field.
package struct MediaError: ExplainedError, Hashable {
    /// Pages have a text in their languages under `media.CODE`. `arguments` replace `{0}`, `{1}` and so on in it.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// More bytes than allowed. {0} is the limit.
        case tooLarge = "too_large"
        /// More pixels than allowed. {0} × {1} are the picture's pixels, {2} is the limit in megapixels.
        case tooManyPixels = "too_many_pixels"
        case empty
        /// A kind of file that cannot be shown. {0} is what it seems to be, {1} is the remedy, both in English.
        case unsupported
        /// The file starts like a kind that can be shown, but is incomplete or wrong. {0} is where.
        case damaged
        /// The file contains locations or measurements that cannot be removed here. {0} is what.
        case personal
        /// No space left: the library's limit or the disk. {0} is the limit.
        case full
        /// Too many uploads or pictures at the same time.
        case busy
        /// Decoding took too long and was stopped.
        case tooSlow = "too_slow"
        case notFound = "not_found"
        /// A rectangle outside of the picture, or an impossible size.
        case wrongArea = "wrong_area"
        /// `beacon-content-images` is not installed or cannot be run.
        case helperMissing = "helper_missing"
        /// `beacon-content-images` does not find libvips.
        case libraryMissing = "library_missing"
        /// The system reports an error. {0} is its reason.
        case system
    }

    package var code: Code
    package var arguments: [String]
    /// The printable name of the uploaded file, or a path.
    package var place: String
    package var problem: String
    package var remedy: String

    package init(
        _ code: Code, _ problem: String, arguments: [String] = [], remedy: String = "", place: String = ""
    ) {
        self.code = code
        self.arguments = arguments
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }

    /// The same error with the file's name as its place, if it has none.
    func at(_ place: String) -> MediaError {
        var error = self
        if error.place.isEmpty { error.place = place }
        return error
    }
}
