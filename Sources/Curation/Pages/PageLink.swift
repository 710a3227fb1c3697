/// The addresses that links in pages may have.
package enum PageLink {
    /// Reads an https, http, mailto or tel address. An http address can be saved, but is not published.
    ///
    /// - Throws: the problem with the address.
    package static func read(_ text: String) throws(Problem) -> String {
        let text = text.tidiedValue
        let lower = text.lowercased()
        if lower.hasPrefix("tel:") { return "tel:" + (try PhoneNumber.read(text)) }
        if lower.hasPrefix("mailto:") {
            let query = text.firstIndex(of: "?")
            let address = try MailAddress.read(String(text[..<(query ?? text.endIndex)]))
            guard let query else { return "mailto:" + address }
            let rest = text[query...]
            // The subject and body are percent-encoded (RFC 6068).
            guard rest.utf8.count <= FieldLimits.address,
                rest.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "?&=%-._~!$'()*+,;:@/".utf8.contains($0) })
            else { throw Problem(.notMail) }
            return "mailto:" + address + rest
        }
        return try LinkAddress.read(text)
    }

    /// Whether the address is published.
    package static func isPublished(_ address: String) -> Bool {
        LinkAddress.isSecure(address) || address.hasPrefix("mailto:") || address.hasPrefix("tel:")
    }
}
