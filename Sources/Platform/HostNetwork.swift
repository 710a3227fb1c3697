import Glibc

/// Where a client is, for limits: an IPv4 address, or the /64 network of an IPv6 address, since one host can have any
/// number of addresses in it.
package struct HostNetwork: Hashable, Sendable {
    private let octets: [UInt8]
    package let isLoopback: Bool

    /// Nil for anything but an IP address. IPv4 addresses that are mapped into IPv6 count as IPv4.
    package init?(_ address: String) {
        var all = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &all) == 1 {
            octets = Array(all[..<4])
            isLoopback = all[0] == 127
        } else if inet_pton(AF_INET6, address, &all) == 1 {
            // ::ffff:192.0.2.1
            let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            octets = isMapped ? Array(all[12...]) : Array(all[..<8])
            isLoopback = isMapped ? all[12] == 127 : all[..<15].allSatisfy { $0 == 0 } && all[15] == 1
        } else {
            return nil
        }
    }

    /// The octets in hexadecimal digits: 8 of them for IPv4, 16 for IPv6.
    package var text: String {
        octets.map { octet in (octet < 16 ? "0" : "") + String(octet, radix: 16) }.joined()
    }
}
