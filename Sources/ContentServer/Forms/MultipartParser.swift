package import Serving

/// Cuts `multipart/form-data` (RFC 7578) into its parts while it arrives. Pure: it keeps no more than a part's head and
/// the length of a boundary.
package struct MultipartParser: Sendable {
    package enum Event: Hashable, Sendable {
        case begin(Head)
        /// Bytes of the current part, never empty.
        case data([UInt8])
        case end
    }

    /// What stands before a part.
    package struct Head: Hashable, Sendable {
        /// The field's name.
        package var name: String
        /// For a file: the name that the browser gives it, perhaps empty.
        package var file: String?
    }

    private enum State {
        /// Before the first boundary, at the start of a line.
        case preamble
        /// Behind a boundary: a line end or the final dashes follow.
        case boundary
        case head
        case body
        case finished
    }

    /// Bytes of a part's head, and of a name in it.
    private static let longestHead = 8192
    private static let longestName = 1024
    private static let mostParts = 5000

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var buffer: [UInt8]
    private var parts = 0

    /// - Parameter boundary: of the content type.
    /// - Throws: `Refusal` (400) if it is no boundary.
    package init(boundary: String) throws(Refusal) {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }),
            !boundary.hasSuffix(" ")
        else { throw Self.refused("its boundary is not one of 1 to 70 characters") }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // So that the first boundary is like the others, whose line end belongs to them.
        buffer = [13, 10]
    }

    /// The last boundary has been read.
    package var isFinished: Bool { state == .finished }

    /// - Throws: `Refusal` (400) if it is not as RFC 7578 has it, or a part has too long a head.
    package mutating func read(_ octets: some Sequence<UInt8>) throws(Refusal) -> [Event] {
        buffer += octets
        var events: [Event] = []
        while let found = try next() { events += found }
        return events
    }

    /// Nil if more bytes are needed.
    private mutating func next() throws(Refusal) -> [Event]? {
        switch state {
        case .preamble:
            guard buffer.count >= delimiter.count else { return nil }
            // Browsers send nothing before the first boundary.
            guard buffer.starts(with: delimiter) else { throw Self.refused("it does not start with its boundary") }
            buffer.removeFirst(delimiter.count)
            state = .boundary
            return []
        case .boundary:
            guard buffer.count >= 2 else { return nil }
            if buffer.starts(with: [0x2D, 0x2D]) {
                state = .finished
                buffer = []
                return []
            }
            guard buffer.starts(with: [13, 10]) else { throw Self.refused("no line end follows a boundary") }
            buffer.removeFirst(2)
            state = .head
            parts += 1
            guard parts <= Self.mostParts else { throw Self.refused("it has more than \(Self.mostParts) parts") }
            return []
        case .head:
            guard let end = Self.position(of: [13, 10, 13, 10], in: buffer) else {
                // The last bytes may be the beginning of the head's end.
                guard buffer.count < Self.longestHead + 4 else { throw Self.refused("the head of a part is too long") }
                return nil
            }
            guard end <= Self.longestHead else { throw Self.refused("the head of a part is too long") }
            let head = try Self.head(buffer[..<end])
            buffer.removeFirst(end + 4)
            state = .body
            return [.begin(head)]
        case .body: return body()
        case .finished:
            // RFC 2046, section 5.1.1: what follows the last boundary is ignored.
            buffer = []
            return nil
        }
    }

    private mutating func body() -> [Event]? {
        if let end = Self.position(of: delimiter, in: buffer) {
            let data = Array(buffer[..<end])
            buffer.removeFirst(end + delimiter.count)
            state = .boundary
            return (data.isEmpty ? [] : [.data(data)]) + [.end]
        }
        // The last bytes may be the beginning of a boundary.
        let count = buffer.count - (delimiter.count - 1)
        guard count > 0 else { return nil }
        let data = Array(buffer[..<count])
        buffer.removeFirst(count)
        return [.data(data)]
    }

    private static func position(of pattern: [UInt8], in octets: [UInt8]) -> Int? {
        octets.withUnsafeBufferPointer { octets in
            guard octets.count >= pattern.count else { return nil }
            var index = 0
            let last = octets.count - pattern.count
            while index <= last {
                if octets[index] == pattern[0] {
                    var length = 1
                    while length < pattern.count, octets[index + length] == pattern[length] { length += 1 }
                    if length == pattern.count { return index }
                }
                index += 1
            }
            return nil
        }
    }

    // MARK: - Heads

    private static func head(_ octets: ArraySlice<UInt8>) throws(Refusal) -> Head {
        guard let text = String(validating: octets, as: UTF8.self) else { throw refused("a part's head is not UTF-8") }
        for line in text.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
            let values = parameters(of: parts[1])
            guard let name = values["name"], !name.isEmpty, name.utf8.count <= longestName else { break }
            return Head(name: name, file: values["filename"])
        }
        throw refused("a part has no name")
    }

    /// The parameters of `form-data; name="…"; filename="…"`. Browsers write a quote as `%22` (WHATWG HTML).
    ///
    /// By scalars: a name may begin with an accent, which is one character with the quote before it.
    private static func parameters(of text: Substring) -> [String: String] {
        var result: [String: String] = [:]
        var rest = text.unicodeScalars.drop { $0 != ";" }.dropFirst()
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            var value = String.UnicodeScalarView()
            if rest.first == "=" {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    rest = rest.dropFirst()
                    while let character = rest.popFirst(), character != "\"" {
                        if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                            value.append(rest.removeFirst())
                        } else {
                            value.append(character)
                        }
                    }
                    rest = rest.drop { $0 != ";" }
                } else {
                    let bare = rest.prefix { $0 != ";" }
                    value.append(contentsOf: bare)
                    rest = rest.dropFirst(bare.count)
                }
            }
            let key = String(String.UnicodeScalarView(name.filter { $0 != " " && $0 != "\t" })).lowercased()
            if result[key] == nil { result[key] = String(value) }
            rest = rest.dropFirst()
        }
        return result
    }

    /// The boundary of a content type; nil if it is not `multipart/form-data`.
    package static func boundary(of contentType: String?) -> String? {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
        return parameters(of: contentType[...])["boundary"] ?? ""
    }

    static func refused(_ problem: String) -> Refusal {
        Refusal(400, "the form cannot be read: \(problem)", whatToDo: "send multipart/form-data as RFC 7578 has it")
    }
}
