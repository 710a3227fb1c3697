/// Reads files in memory by their structure, without a decoder.
package enum MediaReading {
    /// The parts of a file that are needed to show it. Pictures are not decoded, so they may still be damaged.
    ///
    /// - Throws: the reason for refusing the file.
    package static func cleaned(_ octets: [UInt8], limits: MediaLimits = MediaLimits()) throws(MediaError) -> [UInt8] {
        let kind = try FileKind(start: Array(octets.prefix(FileKind.bytesNeeded)))
        guard octets.count <= limits.bytes(of: kind) else { throw MediaError(tooLarge: limits.bytes(of: kind)) }
        var reader = FileReader(octets)
        switch kind {
        case .jpeg, .png, .webp, .gif:
            let structure = try PictureStructure(kind, &reader)
            try structure.check(limits)
            return structure.kept.octets(of: octets)
        case .mp4, .webm, .ogg, .mp3: return try RecordingStructure(kind, &reader).kept.octets(of: octets)
        case .captions:
            try Captions.check(octets)
            return octets
        }
    }

    /// The media type of a file, determined by its structure.
    package static func mediaType(_ octets: [UInt8]) throws(MediaError) -> String {
        let kind = try FileKind(start: Array(octets.prefix(FileKind.bytesNeeded)))
        var reader = FileReader(octets)
        return switch kind {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .mp4, .webm, .ogg, .mp3: try RecordingStructure(kind, &reader).mediaType
        case .captions: "text/vtt"
        }
    }
}

extension KeptParts {
    func octets(of source: [UInt8]) -> [UInt8] {
        parts.reduce(into: []) { result, part in
            switch part {
            case .range(let range): result += source[Int(range.lowerBound)..<Int(range.upperBound)]
            case .octets(let octets): result += octets
            case .zeros(let count): result += [UInt8](repeating: 0, count: Int(count))
            }
        }
    }
}
