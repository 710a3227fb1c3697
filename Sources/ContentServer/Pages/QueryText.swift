/// Texts as values in the query of an address (RFC 3986, section 2.3).
enum QueryText {
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(octet))
            default: result += (octet < 16 ? "%0" : "%") + String(octet, radix: 16, uppercase: true)
            }
        }
    }
}
