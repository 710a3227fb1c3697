import Glibc
import HTTPTypes
package import HummingbirdCore
import NIOCore
import Text

/// The names under which this host may be addressed.
///
/// With DNS rebinding, another site's name points to this host, but the browser still sends that name.
package struct HostNames: Sendable {
    private let names: Set<String>

    /// - Parameter names: besides `localhost`, this host's own names, and all IP addresses.
    package init(_ names: [String]) {
        self.names = Set((names + ["localhost"] + Self.own).map(Self.comparable))
    }

    /// - Parameter remedy: tells the caller how a name is added.
    /// - Throws: `Refusal` (421).
    package func check(_ request: Request, remedy: String) throws(Refusal) {
        let host = Self.comparable(HostPort.host(of: request.head.authority ?? ""))
        guard names.contains(host) || (try? SocketAddress(ipAddress: host, port: 0)) != nil else {
            throw Refusal(421, "this host is not called \"\(host.prefix(253))\"", whatToDo: remedy)
        }
    }

    /// The case does not matter, nor does a dot at the end (RFC 3986, section 3.2.2).
    private static func comparable(_ name: String) -> String {
        let name = name.lowercased()
        return name.utf8.last == UInt8(ascii: ".") ? String(Substring(name.utf8.dropLast())) : name
    }

    private static var own: [String] {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        let name = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        guard !name.isEmpty else { return [] }
        let short = name.prefix { $0 != "." }
        return [name, String(short), "\(short).local"]
    }
}

/// Compares secrets: takes the same time wherever the texts differ.
package func isSameSecret(_ given: some StringProtocol, _ secret: some StringProtocol) -> Bool {
    let (left, right) = (Array(given.utf8), Array(secret.utf8))
    var difference = left.count ^ right.count
    for index in right.indices { difference |= Int(right[index] ^ (index < left.count ? left[index] : 0)) }
    return difference == 0
}
