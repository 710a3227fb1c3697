import FoundationEssentials

/// The key of a proxy: 32 octets, written in base64 (`api: encryption: key:` in ESPHome).
package struct ProxyKey: Hashable, Sendable {
    package let octets: [UInt8]

    /// Nil if the text is not a key.
    package init?(_ text: String) {
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }), data.count == 32 else { return nil }
        octets = Array(data)
    }
}
