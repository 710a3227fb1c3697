/// A video or sound read by its container's structure: what it is, and what of it stays.
struct RecordingStructure: Hashable, Sendable {
    var mediaType = ""
    /// Pixels; nil for sound.
    var width: Int?
    var height: Int?
    var kept = KeptParts()

    init(mediaType: String) {
        self.mediaType = mediaType
    }

    /// Reads a file of a kind.
    init(_ kind: FileKind, _ file: inout FileReader) throws(MediaError) {
        switch kind {
        case .mp4: self = try MP4Recording.read(&file)
        case .webm: self = try WebMRecording.read(&file)
        case .ogg: self = try OggRecording.read(&file)
        case .mp3: self = try MP3Recording.read(&file)
        default: throw MediaError(damaged: "it is no recording")
        }
    }
}

extension MediaError {
    /// A container that is right, with something in it that browsers do not play.
    init(codec: String, isSound: Bool) {
        self.init(
            unsupported: "coded as \(codec), which many browsers do not play",
            remedy: isSound ? Refusal.asSound : Refusal.asVideo)
    }

    init(personal what: String) {
        self.init(
            .personal, "the file has \(what) in it, which may tell where it was made", arguments: [what],
            remedy:
                "take only picture and sound over: ffmpeg -i IN.mp4 -map 0:v -map 0:a? -c copy -map_metadata -1 OUT.mp4"
        )
    }
}
