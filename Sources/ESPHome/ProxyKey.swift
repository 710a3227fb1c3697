import FoundationEssentials

/// The key of a proxy: 32 octets, which people write in base64 (`api: encryption: key:` of ESPHome).
package struct ProxyKey: Hashable, Sendable {
    package let octets: [UInt8]

    /// Nil for what is no key.
    package init?(_ text: String) {
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }), data.count == 32 else { return nil }
        octets = Array(data)
    }
}
