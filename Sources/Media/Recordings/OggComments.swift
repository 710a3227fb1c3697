/// Empties the second packet of a stream, which has the comments (RFC 7845, section 5.2; Vorbis I, section 5).
struct OggComments {
    enum Codec {
        case opus
        case vorbis

        /// A packet without comments. Decoders ignore what follows it.
        var empty: [UInt8] {
            switch self {
            case .opus: Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
            // The last octet is the framing bit.
            case .vorbis: Array("\u{3}vorbis".utf8) + [UInt8](repeating: 0, count: 8) + [1]
            }
        }
    }

    /// In octets. Comments with a picture are large, and the emptied pages are kept in memory.
    private static let most = 16 << 20

    private let codec: Codec
    /// The octets of the packet so far.
    private var written = 0
    private(set) var isDone = false

    init(codec: Codec) {
        self.codec = codec
    }

    /// A page with the packet's octets emptied; nil if the packet has ended before this page.
    mutating func emptied(_ page: OggPage, _ file: inout FileReader) throws(MediaError) -> [UInt8]? {
        guard !isDone else { return nil }
        var octets = Array(try file.octets(at: page.range.lowerBound, page.range.count))
        let start = Int(page.content.lowerBound - page.range.lowerBound)
        var length = 0
        for segment in page.segments {
            length += Int(segment)
            guard segment == 255 else {
                isDone = true
                break
            }
        }
        guard written + length <= Self.most else { throw MediaError(damaged: "its comments have no end") }
        let empty = codec.empty
        let named = codec == .opus ? 8 : 7
        if written == 0 {
            guard length >= named, octets[start..<start + named].elementsEqual(empty.prefix(named)) else {
                throw MediaError(damaged: "its comments")
            }
        }
        for index in 0..<length {
            octets[start + index] = written + index < empty.count ? empty[written + index] : 0
        }
        written += length
        guard !isDone || written >= empty.count else { throw MediaError(damaged: "its comments") }
        let sum = OggPage.checksum(octets)
        for index in 0..<4 { octets[22 + index] = UInt8(truncatingIfNeeded: sum >> (UInt32(index) * 8)) }
        return octets
    }
}
