/// Whether this is an ASCII letter or digit.
package func isLetterOrDigit(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: false
    }
}

/// Whether a character may be in a path segment (RFC 3986, 3.3), without percent-encoding. The format needs no encoded
/// characters, and an encoded slash or dot would have to be checked again by every reader.
package func isPathCharacter(_ character: UInt8) -> Bool {
    isLetterOrDigit(character) || "-._~!$&'()*+,;=:@".utf8.contains(character)
}
