import NIOCore

/// An address and a port to listen on: `8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `0.0.0.0:8080`.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address.
    package var host: String
    /// 0 lets the system choose.
    package var port: UInt16

    /// Without an address, it is the loopback one.
    ///
    /// - Throws: `BadListenAddress`.
    package init(_ text: String) throws(BadListenAddress) {
        let host: Substring
        let port: Substring
        if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        } else {
            (host, port) = ("", text[...])
        }
        guard let number = UInt16(port), port.allSatisfy(\.isNumber) else { throw BadListenAddress(text) }
        self.port = number
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
        let bare = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        switch bare {
        case "" where text == port, "localhost": self.host = "127.0.0.1"
        case "*": self.host = "0.0.0.0"
        default:
            guard bare.contains(":") == isBracketed, (try? SocketAddress(ipAddress: bare, port: 0)) != nil else {
                throw BadListenAddress(text)
            }
            self.host = bare
        }
    }

    /// Only programs on this host reach it.
    package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// What was given is no address to listen on.
package struct BadListenAddress: Error, CustomStringConvertible {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    package var description: String {
        "\"\(text)\" is no address to listen on; write a port (8080), or an IP address and a port (0.0.0.0:8080, "
            + "[::1]:8080)"
    }
}
