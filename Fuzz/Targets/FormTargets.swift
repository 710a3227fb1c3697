import Content
import ContentServer
import ControlClient
import Serving

private let form = """
    --bnd\r\nContent-Disposition: form-data; name="title"\r\n\r\nHall\r\n--bnd\r
    Content-Disposition: form-data; name="file"; filename="a \\"b\\".png"\r\nContent-Type: image/png\r\n\r\n\u{89}PNG\r\n--bnd--\r\n
    """

extension FuzzTarget {
    /// A form with files, whole and in pieces.
    static let multipartForm = FuzzTarget(
        "multipart-form",
        words: [
            "\r\n--bnd", "--\r\n", "Content-Disposition: form-data; name=\"", "filename=\"", "\r\n\r\n", "\\\"", ";",
            "=",
        ],
        longestInput: 12_000
    ) {
        [Array(form.utf8), Array("--bnd--".utf8)]
    } check: { bytes in
        let whole = try parts(of: [bytes])
        let cut = try parts(of: pieces(of: bytes))
        try require(whole == cut, "pieces give \(cut), the whole gives \(whole)")
        try require(whole.reduce(0) { $0 + $1.data.count } <= bytes.count, "more bytes than were sent")
    }

    static let urlEncodedForm = FuzzTarget("url-encoded-form", words: ["%", "%2", "%C3%A4", "+", "&", "=", "%0D%0A"]) {
        [Array("a=1&b=%C3%A4+%&&c".utf8), Array("text=line%0D%0Aline".utf8)]
    } check: { bytes in
        guard let fields = try refusing({ try URLEncodedForm.fields(of: bytes) }) else { return }
        try require(
            fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= bytes.count, "fields of more bytes")
        let written = fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
        let again = try URLEncodedForm.fields(of: Array(written.utf8))
        try require(
            again.map(\.name) == fields.map(\.name) && again.map(\.value) == fields.map(\.value),
            "other fields than were written")
    }

    /// What small functions read from the fields of requests and answers.
    static let requestField = FuzzTarget(
        text: "request-field",
        words: [
            "W/\"", "\"", ", ", "*", "//", "\\", "%2F", "::ffff:", "/24", "bytes=", "bytes ", "-", ";q=0.5", "&", "=",
        ]
    ) {
        [
            "multipart/form-data; boundary=\"a b\"", "\"1\", W/\"2\"", "/beacons?offset=10", "//host", "10.0.0.0/8",
            "fe80::/10", "bytes=0-9", "bytes 0-9/100", "de-AT, en;q=0.5", "203.0.113.9, 10.0.0.7", "a=1&b=%C3%A4+",
        ]
    } check: { text in
        let path = LocalPath.checked(text)
        try require(path.hasPrefix("/") && !path.hasPrefix("//") && !path.contains("\\"), "a path that leads elsewhere")
        _ = EntityTag.matches(text, "\"1\"")
        if let boundary = MultipartParser.boundary(of: text) {
            _ = try refusing { try MultipartParser(boundary: boundary) }
        }
        if let network = AddressRange(text) { _ = network.contains(text) }
        let origin = ClientOrigin(
            peer: "10.0.0.1", isEncrypted: false, forwardedFor: text, forwardedProto: text,
            proxies: ["10.0.0.0/8"].compactMap { AddressRange($0) })
        try require(AddressRange(origin.address) != nil, "a client without an address")
        let language = Catalogues.best(chosen: nil, accepted: text)
        try require(Catalogues.tags.contains(language), "pages in \(language)")
        for (name, value) in QueryFields.of(text) {
            try require(name.utf8.count + value.utf8.count <= text.utf8.count, "a field of more bytes than the query")
        }
        if case .part(let range)? = ByteRange(text, of: 100) {
            try require(range.lowerBound >= 0 && range.upperBound < 100, "a part that is not in the file")
        }
        if let range = ContentRange(text) {
            try require(
                range.first >= 0 && range.last >= range.first && range.last < range.total ?? .max,
                "an impossible part of a file")
        }
    }

    /// What `beaconctl watch` reads from a daemon, whole and in pieces.
    static let eventStream = FuzzTarget(
        "event-stream", words: ["data: ", "event: ", "id: ", ":\n", "\r\n", "\n\n", "\u{FEFF}"]
    ) {
        [Array(": hello\nid: 7\nevent: nearest\ndata: {\"a\":1}\ndata: b\n\r\n\rdata\n\n".utf8)]
    } check: { bytes in
        func events(_ pieces: [[UInt8]]) -> [EventStreamReader.Event] {
            var reader = EventStreamReader()
            return pieces.flatMap { reader.take($0) }
        }
        let whole = events([bytes])
        try require(whole == events(pieces(of: bytes)), "pieces give other events than the whole")
        try require(whole.count <= bytes.count / 5, "more events than the bytes have room for")
    }
}

/// A part of a form as it was read; the last one may be unfinished.
private struct Part: Equatable {
    var head: MultipartParser.Head?
    var data: [UInt8] = []
    var isComplete = false
    var isRefused = false
}

/// What is behind a refusal does not count, and how much of an unfinished part was passed on depends on the pieces.
private func parts(of pieces: [[UInt8]]) throws -> [Part] {
    var parser = try MultipartParser(boundary: "bnd")
    var parts: [Part] = []
    for piece in pieces {
        guard let events = try refusing({ try parser.read(piece) }) else {
            return [Part(isRefused: true)]
        }
        for event in events {
            switch event {
            case .begin(let head): parts.append(Part(head: head))
            case .data(let data): parts[parts.count - 1].data += data
            case .end: parts[parts.count - 1].isComplete = true
            }
        }
    }
    if parts.last?.isComplete == false { parts[parts.count - 1].data = [] }
    return parts
}

/// Everything escaped but letters and digits.
private func escaped(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}
