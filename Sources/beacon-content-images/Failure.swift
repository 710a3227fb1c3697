import Text

/// Why there is no answer. The server has words for each kind; `detail` is libvips's own.
struct Failure: Error {
    enum Kind: String {
        case pixels
        case unsupported
        case damaged
        case area
        case library
        case writing
        case memory
    }

    var kind: Kind
    var detail: String
    var width: Int?
    var height: Int?

    init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        self.detail = printable(String(detail.prefix(300)))
    }

    init(tooManyPixels width: Int, _ height: Int) {
        self.init(.pixels)
        (self.width, self.height) = (width, height)
    }

    func write(_ json: inout JSONText) {
        json.value("error", kind.rawValue)
        json.value("detail", detail)
        json.value("width", width)
        json.value("height", height)
    }
}
