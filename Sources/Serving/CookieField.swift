import HTTPTypes
package import HummingbirdCore

extension Request {
    /// The value of a cookie; nil if it is not sent. If there are several of the name, the first one counts.
    package func cookie(_ name: String) -> String? {
        for field in headers[values: .cookie] {
            if let value = CookieField.value(of: name, in: field) { return value }
        }
        return nil
    }
}

/// Reads the field `Cookie` (RFC 6265, section 4.2).
package enum CookieField {
    /// The value of the first cookie with this name; nil if there is none. It reads octets: as Characters, a sign such
    /// as U+0600 at the end of another cookie would be one with the semicolon behind it, and hide the next cookie.
    package static func value(of name: String, in field: String) -> String? {
        for part in Array(field.utf8).split(separator: UInt8(ascii: ";")) {
            let pair = part.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let given = pair.prefix { $0 != UInt8(ascii: "=") }
            guard given.count < pair.count, given.elementsEqual(name.utf8) else { continue }
            return String(decoding: pair.dropFirst(given.count + 1), as: UTF8.self)
        }
        return nil
    }
}
