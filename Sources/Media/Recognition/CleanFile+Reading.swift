import Glibc

extension CleanFile {
    /// Reads a complete upload and cleans it. Blocks its thread.
    ///
    /// - Throws: the reason for refusing the file.
    init(_ received: ReceivedFile, in library: MediaLibrary) throws(MediaError) {
        let limits = library.limits
        var reader = FileReader(received.work.descriptor, count: received.count)
        let start = try reader.octets(at: 0, Int(min(received.count, Int64(FileKind.bytesNeeded))))
        let kind = try FileKind(start: Array(start))
        guard received.count <= limits.bytes(of: kind) else { throw MediaError(tooLarge: limits.bytes(of: kind)) }
        switch kind {
        case .jpeg, .png, .webp, .gif:
            let structure = try PictureStructure(kind, &reader)
            try structure.check(limits)
            let clean = try structure.kept.copy(received, in: library.folder)
            try self.init(clean, orientation: structure.orientation, in: library)
        case .mp4, .webm, .ogg, .mp3:
            let structure = try RecordingStructure(kind, &reader)
            let clean = try structure.kept.copy(received, in: library.folder)
            self.init(clean, mediaType: structure.mediaType, width: structure.width, height: structure.height)
        case .captions:
            var octets: [UInt8] = []
            while octets.count < received.count {
                octets += try reader.octets(
                    at: Int64(octets.count), Int(min(1 << 16, received.count - Int64(octets.count))))
            }
            try Captions.check(octets)
            self.init(received, mediaType: "text/vtt")
        }
    }

    /// The decoder sees only the cleaned file. Only a file that it has decoded is stored.
    private init(_ clean: ReceivedFile, orientation: Int, in library: MediaLibrary) throws(MediaError) {
        guard orientation > 1 else {
            let facts = try library.helper.run(.inspect, clean.work.descriptor, nil, library.limits)
            self.init(picture: facts, clean)
            return
        }
        let turned = try WorkFile(in: library.folder)
        let facts = try library.helper.run(
            .turn(orientation: orientation), clean.work.descriptor, turned.descriptor, library.limits)
        try self.init(made: turned, facts, in: library)
    }

    /// A file that the helper has made, without the parts that libvips has added.
    init(made file: WorkFile, _ facts: PictureFacts, in library: MediaLibrary) throws(MediaError) {
        let received = try ReceivedFile(reading: file)
        var reader = FileReader(file.descriptor, count: received.count)
        let structure = try PictureStructure(facts.format.kind, &reader)
        self.init(picture: facts, try structure.kept.copy(received, in: library.folder))
    }
}
