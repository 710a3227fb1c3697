/// What the helper reports about a picture.
struct PictureFacts: Hashable, Sendable, Decodable {
    enum Format: String, Hashable, Sendable, Decodable {
        case jpeg
        case png
        case webp
        case gif

        var mediaType: String { "image/\(rawValue)" }

        var kind: FileKind {
            switch self {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            case .gif: .gif
            }
        }
    }

    var format: Format
    var width: Int
    var height: Int
    var likeness: UInt64?

    private enum CodingKeys: String, CodingKey {
        case format, width, height, likeness
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.decode(Format.self, forKey: .format)
        width = try container.decode(Int.self, forKey: .width)
        height = try container.decode(Int.self, forKey: .height)
        likeness = try container.decodeIfPresent(String.self, forKey: .likeness).flatMap { UInt64($0, radix: 16) }
    }
}
