import Glibc
import Text

/// An address and a port to listen on: `8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `0.0.0.0:8080`.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address.
    package var host: String
    /// With 0 the system chooses a port.
    package var port: UInt16

    /// Without an address, the loopback address is used.
    ///
    /// - Throws: `BadListenAddress`.
    package init(_ text: String) throws(BadListenAddress) {
        let isPortOnly = !text.utf8.contains(UInt8(ascii: ":"))
        guard let address = try? HostPort(isPortOnly ? ":" + text : text), let port = address.port else {
            throw BadListenAddress(text)
        }
        self.port = port
        switch address.host {
        case "" where isPortOnly, "localhost": host = "127.0.0.1"
        case "*": host = "0.0.0.0"
        case let bare:
            guard bare.utf8.contains(UInt8(ascii: ":")) == address.isBracketed, Self.isAddress(bare) else {
                throw BadListenAddress(text)
            }
            host = bare
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        var room = in6_addr()
        return inet_pton(AF_INET, text, &room) == 1 || inet_pton(AF_INET6, text, &room) == 1
    }

    /// Whether only programs on this host can reach it.
    package var isLoopback: Bool { HostPort(host: host, port: port).isLoopback }

    package var description: String { HostPort(host: host, port: port).description }
}

/// The text is not an address to listen on.
package struct BadListenAddress: Error, CustomStringConvertible {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    package var description: String {
        "\"\(excerpt(text))\" is no address to listen on; write a port (8080), or an IP address and a port "
            + "(0.0.0.0:8080, [::1]:8080)"
    }
}
