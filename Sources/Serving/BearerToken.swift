import HTTPTypes
package import HummingbirdCore

extension Request {
    /// The token of `Authorization: Bearer` (RFC 6750, section 2.1); nil if there is none.
    package var bearerToken: String? {
        guard let field = headers[.authorization] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        // There may be several spaces (RFC 9110, section 11.4).
        return String(parts[1].drop { $0 == " " })
    }
}
