/// Reads the query of a URL in the format of forms (WHATWG URL, section 5.1). `+` is a space, because most programs
/// and all browser forms write it this way. A `+` itself is `%2B`.
package enum QueryFields {
    /// The names and values, in their order. A name without a value has an empty one.
    ///
    /// - Parameter query: without the `?`; nil for none.
    package static func of(_ query: String?) -> [(name: String, value: String)] {
        Array((query ?? "").utf8).split(separator: UInt8(ascii: "&")).map { part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            return (name: text(name), value: text(part.dropFirst(name.count + 1)))
        }
    }

    /// Characters that are not an escape are kept. The whole text is kept if the result would not be UTF-8.
    private static func text(_ part: ArraySlice<UInt8>) -> String {
        String(validating: decoded(part), as: UTF8.self) ?? String(decoding: part, as: UTF8.self)
    }

    /// A name or a value with its escapes decoded. Everything else is kept.
    package static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(part.count)
        var rest = part
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "+") {
                decoded.append(UInt8(ascii: " "))
            } else if octet == UInt8(ascii: "%"), let value = Self.octet(of: rest.prefix(2)) {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(octet)
            }
        }
        return decoded
    }

    private static func octet(of digits: ArraySlice<UInt8>) -> UInt8? {
        var value: UInt8 = 0
        for octet in digits {
            guard let digit = Character(UnicodeScalar(octet)).hexDigitValue else { return nil }
            value = value << 4 | UInt8(digit)
        }
        return digits.count == 2 ? value : nil
    }
}
