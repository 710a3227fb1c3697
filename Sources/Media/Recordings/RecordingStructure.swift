/// The structure of a video or sound file: its media type and size, and the parts to keep.
struct RecordingStructure: Hashable, Sendable {
    var mediaType = ""
    /// In pixels; nil for sound.
    var width: Int?
    var height: Int?
    var kept = KeptParts()

    init(mediaType: String) {
        self.mediaType = mediaType
    }

    /// Reads the structure of a file of this kind.
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
    /// The container is valid, but its codec is one that browsers do not play.
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
