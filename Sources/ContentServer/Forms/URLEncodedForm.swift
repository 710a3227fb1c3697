package import Serving

/// Reads `application/x-www-form-urlencoded` (WHATWG URL, section 5.1).
package enum URLEncodedForm {
    /// The most fields of one form.
    package static let mostFields = 5000

    /// - Throws: `Refusal` (400) for more fields, or a text that is not UTF-8.
    package static func fields(of octets: some Collection<UInt8>) throws(Refusal) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for part in octets.split(separator: UInt8(ascii: "&")) {
            guard fields.count < mostFields else {
                throw Refusal(400, "the form has more than \(mostFields) fields", whatToDo: "send fewer")
            }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            let value = part.dropFirst(name.count + 1)
            fields.append((try text(name), try text(value)))
        }
        return fields
    }

    private static func text(_ octets: some Sequence<UInt8>) throws(Refusal) -> String {
        var decoded: [UInt8] = []
        var iterator = octets.makeIterator()
        var pending: [UInt8] = []
        func next() -> UInt8? { pending.isEmpty ? iterator.next() : pending.removeFirst() }
        while let octet = next() {
            switch octet {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let (first, second) = (next(), next())
                if let first, let second, let high = digit(first), let low = digit(second) {
                    decoded.append(high << 4 | low)
                } else {
                    // Not an escape: the sign stands for itself.
                    decoded.append(octet)
                    pending = [first, second].compactMap { $0 } + pending
                }
            default: decoded.append(octet)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw Refusal(400, "the form is not UTF-8", whatToDo: "send it in UTF-8")
        }
        return withPlainLineEnds(text)
    }

    /// Browsers send line ends as CR LF. A CR alone is one too (WHATWG HTML, section 4.10.21.8).
    static func withPlainLineEnds(_ text: String) -> String {
        guard text.utf8.contains(13) else { return text }
        return text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" }.joined(separator: "\n")
    }

    private static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - 0x37
        default: nil
        }
    }
}
