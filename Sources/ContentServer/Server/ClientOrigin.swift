import Glibc
import NIOCore

/// From where a request comes, behind a proxy too.
package struct ClientOrigin: Hashable, Sendable {
    /// An IP address as text.
    package var address: String
    package var isSecure: Bool

    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - isEncrypted: the connection itself uses TLS.
    ///   - forwardedFor: `X-Forwarded-For`; counts only if the peer is one of the proxies.
    ///   - forwardedProto: `X-Forwarded-Proto`, likewise.
    package init(
        peer: String, isEncrypted: Bool, forwardedFor: String?, forwardedProto: String?, proxies: [AddressRange]
    ) {
        func isProxy(_ address: String) -> Bool { proxies.contains { $0.contains(address) } }
        address = peer
        isSecure = isEncrypted
        guard isProxy(peer) else { return }
        if let forwardedProto {
            isSecure = Self.parts(of: forwardedProto).last?.lowercased() == "https"
        }
        // Each proxy appends the address that it saw: from the end, the first that is no proxy is the client. What is
        // before it, anybody may have written.
        for text in Self.parts(of: forwardedFor ?? "").reversed() {
            guard AddressRange(text) != nil, !text.contains("/") else { return }
            address = text
            if !isProxy(text) { return }
        }
    }

    /// The last parts of a list, without blanks. By octets: a client could write a character that is one with the comma
    /// behind it.
    private static func parts(of field: String) -> [String] {
        field.utf8.suffix(2000).split(separator: UInt8(ascii: ",")).map { part in
            String(decoding: part.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        }
    }
}

/// An IP address or a network: `192.0.2.7`, `10.0.0.0/8`, `fd00::/8`.
package struct AddressRange: Hashable, Sendable {
    private let octets: [UInt8]
    private let bits: Int

    /// Nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let octets = Self.octets(String(first)) else { return nil }
        self.octets = octets
        guard parts.count == 2 else {
            bits = octets.count * 8
            return
        }
        guard let bits = Int(parts[1]), (0...octets.count * 8).contains(bits) else { return nil }
        self.bits = bits
    }

    package func contains(_ address: String) -> Bool {
        guard let other = Self.octets(address), other.count == octets.count else { return false }
        return zip(octets, other).enumerated().allSatisfy { index, pair in
            let wanted = min(8, max(0, bits - index * 8))
            let mask = wanted == 0 ? 0 : ~UInt8(0) << (8 - wanted)
            return pair.0 & mask == pair.1 & mask
        }
    }

    /// IPv4 addresses that are mapped into IPv6 count as IPv4.
    private static func octets(_ text: String) -> [UInt8]? {
        var all = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &all) == 1 { return Array(all[..<4]) }
        guard inet_pton(AF_INET6, text, &all) == 1 else { return nil }
        let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
        return isMapped ? Array(all[12...]) : all
    }
}
