/// The apparent kind of a file, by its first bytes. Whether it is right shows only when the whole file is read.
enum FileKind: Hashable, Sendable, CaseIterable {
    case jpeg
    case png
    case webp
    case gif
    /// MP4 with video, or with sound only.
    case mp4
    case webm
    case ogg
    case mp3
    case captions

    /// The number of bytes at the start that are examined.
    static let bytesNeeded = 16

    var isPicture: Bool { [.jpeg, .png, .webp, .gif].contains(self) }

    /// - Parameter start: the first `bytesNeeded` bytes, or all bytes of a shorter file.
    /// - Throws: `.unsupported` with the remedy, or `.empty`.
    init(start: [UInt8]) throws(MediaError) {
        guard !start.isEmpty else {
            throw MediaError(
                .empty, "the file is empty", remedy: "choose the file again; if it is still empty, its copy has failed")
        }
        if let kind = Self.accepted(start) {
            self = kind
        } else {
            throw Refusal.error(for: start)
        }
    }

    private static func accepted(_ start: [UInt8]) -> FileKind? {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool { start.has(text, at: offset) }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if start.starts(with: PNGPicture.signature) { return .png }
        if has("RIFF"), has("WEBP", at: 8) { return .webp }
        if has("GIF87a") || has("GIF89a") { return .gif }
        if has("ftyp", at: 4), !Refusal.brands.contains(where: { has($0.brand, at: 8) }) { return .mp4 }
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .webm }
        if has("OggS") { return .ogg }
        if has("ID3") || MPEGFrame(start.prefix(4)) != nil { return .mp3 }
        if has("WEBVTT") || start.starts(with: [0xEF, 0xBB, 0xBF]) && has("WEBVTT", at: 3) { return .captions }
        return nil
    }
}

extension Collection<UInt8> where Index == Int {
    /// Whether these characters are at an offset from the start.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        guard count >= offset + text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { self[(startIndex + offset)...].starts(with: $0) }
    }
}

extension MediaLimits {
    func bytes(of kind: FileKind) -> Int64 {
        switch kind {
        case .jpeg, .png, .webp, .gif: pictureBytes
        case .mp4, .webm, .ogg, .mp3: recordingBytes
        case .captions: captionsBytes
        }
    }
}
