/// The addresses of pages and videos.
package enum LinkAddress {
    /// The address without invisible characters, and with `https://` if it starts with `www.`.
    ///
    /// An http address is accepted here; the gate reports it when publishing.
    ///
    /// - Throws: the problem with the address. Other schemes are refused.
    package static func read(_ text: String) throws(Problem) -> String {
        let text = completed(text.tidiedValue)
        guard !text.isLonger(than: FieldLimits.address) else { throw Problem(.tooLong, "\(FieldLimits.address)") }
        let scheme = text.prefix { $0 != ":" }
        guard scheme.endIndex < text.endIndex, isScheme(scheme), !text[scheme.endIndex...].dropFirst().isPort else {
            throw Problem(.linkWithoutScheme)
        }
        let kind = scheme.lowercased()
        guard kind == "https" || kind == "http" else {
            throw Problem(.linkScheme, kind)
        }
        let rest = text[scheme.endIndex...].dropFirst()
        guard rest.hasPrefix("//"), text.unicodeScalars.allSatisfy(isAllowed), hasHost(rest.dropFirst(2)) else {
            throw Problem(.notLink)
        }
        return kind + text[scheme.endIndex...]
    }

    package static func isSecure(_ address: String) -> Bool {
        address.lowercased().hasPrefix("https://")
    }

    /// Adds the scheme that people often leave out.
    static func completed(_ text: String) -> String {
        text.lowercased().hasPrefix("www.") ? "https://" + text : text
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// White space, quotes, angle brackets and backslashes are not allowed in addresses (RFC 3986, 2), and programs
    /// interpret them differently.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{0}"..."\u{20}", "\u{7F}"..."\u{A0}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: !scalar.properties.isWhitespace
        }
    }

    /// A user name is refused, because it only misleads readers (RFC 3986, 7.6).
    private static func hasHost(_ rest: Substring) -> Bool {
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { return false }
        if authority.hasPrefix("[") {
            let address = authority.dropFirst().prefix { $0 != "]" }
            let port = authority[address.endIndex...].dropFirst()
            // Browsers refuse an IPv4 address in brackets.
            return address.utf8.contains(UInt8(ascii: ":"))
                && address.utf8.allSatisfy { isHexDigit($0) || ":.".utf8.contains($0) }
                && address.endIndex < authority.endIndex
                && (port.isEmpty || port.first == ":" && port.dropFirst().isPort)
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, isHost(host) else { return false }
        return parts.count == 1 || parts[1].isPort
    }
}

extension Substring {
    /// Whether this is a number from 1 to 65535, followed by a path, a query or the end.
    fileprivate var isPort: Bool {
        let digits = prefix { !"/?#".contains($0) }
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(isDigit) else { return false }
        return (1...65535).contains(Int(digits) ?? 0)
    }
}

/// Whether this is a host name: labels of letters, digits and dashes. Letters of other scripts are allowed (IDNA).
func isHost(_ text: Substring) -> Bool {
    guard text.utf8.count <= 253 else { return false }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    ? isLetter(UInt8(scalar.value)) || isDigit(UInt8(scalar.value)) || scalar == "-"
                    : scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
            }
    }
}

func isLetter(_ octet: UInt8) -> Bool { (97...122).contains(octet | 0x20) }
func isDigit(_ octet: UInt8) -> Bool { (48...57).contains(octet) }
func isHexDigit(_ octet: UInt8) -> Bool { isDigit(octet) || (97...102).contains(octet | 0x20) }
