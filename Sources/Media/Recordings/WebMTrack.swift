/// The entry of one track.
struct WebMTrack {
    /// 1 is video, 2 sound, 17 subtitles.
    var type = 0
    var width: Int?
    var height: Int?

    private static let codecs: Set = ["V_VP8", "V_VP9", "V_AV1", "A_VORBIS", "A_OPUS"]

    init(_ range: Range<Int64>, _ file: inout FileReader) throws(MediaError) {
        var (type, width, height, codec): (Int, Int?, Int?, String) = (0, nil, nil, "")
        try WebMRecording.children(range, &file) { (child, file) throws(MediaError) in
            guard let end = child.end else { return }
            let length = Int(min(end - child.content, 64))
            switch child.id {
            case 0x83: type = Int(try file.big(at: child.content, min(length, 1)))
            case 0x86:
                codec = String(decoding: try file.octets(at: child.content, length).filter { $0 != 0 }, as: UTF8.self)
            case 0xE0:
                try WebMRecording.children(child.content..<end, &file) { (detail, file) throws(MediaError) in
                    guard let end = detail.end, end - detail.content <= 4 else { return }
                    let value = Int(try file.big(at: detail.content, Int(end - detail.content)))
                    if detail.id == 0xB0 { width = value }
                    if detail.id == 0xBA { height = value }
                }
            default: break
            }
        }
        (self.type, self.width, self.height) = (type, width, height)
        guard ![1, 2].contains(type) || Self.codecs.contains(codec) else {
            throw MediaError(codec: MP4Recording.printableType(codec), isSound: type == 2)
        }
    }
}
