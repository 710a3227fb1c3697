import Foundation

/// What the helper reports about a picture.
package struct PictureFacts: Hashable, Sendable {
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
    package var width: Int
    package var height: Int
    package var likeness: UInt64?

    /// Reads the helper's answer. A picture may have taken control of the helper, so the answer may be anything.
    ///
    /// - Parameter answer: one line of JSON: the facts, or the reason for refusing the picture.
    /// - Throws: that reason, or `.damaged` if it is no answer.
    package init(answer: [UInt8], _ limits: MediaLimits) throws(MediaError) {
        let decoder = JSONDecoder()
        guard let facts = try? decoder.decode(PictureFacts.self, from: Data(answer)) else {
            let failure = try? decoder.decode(HelperFailure.self, from: Data(answer))
            throw failure?.error(limits) ?? MediaError(damaged: "decoding it has failed")
        }
        guard limits.allowPicture(width: facts.width, height: facts.height) else {
            throw MediaError(damaged: "decoding it has failed")
        }
        self = facts
    }
}

extension PictureFacts: Decodable {
    private enum CodingKeys: String, CodingKey {
        case format, width, height, likeness
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.decode(Format.self, forKey: .format)
        width = try container.decode(Int.self, forKey: .width)
        height = try container.decode(Int.self, forKey: .height)
        likeness = try container.decodeIfPresent(String.self, forKey: .likeness).flatMap { UInt64($0, radix: 16) }
    }
}
