/// A host and perhaps a port, as in the authority of a URL (RFC 3986, section 3.2): `host`, `host:1883`, `[::1]:80`.
///
/// It is read by octets: to Swift, a colon with a combining mark behind it is another character.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets. It may be empty; the caller decides whether that is allowed.
    package var host: String
    package var port: UInt16?
    /// Whether the host was in brackets, as an IPv6 address is before a port.
    package var isBracketed = false

    /// What is wrong with a text.
    package enum Problem: Error, Hashable {
        /// Something other than a port follows the bracket, a bracket is not closed, or one is inside the host.
        case brackets
        /// The text after the last colon is not a number from 0 to 65535.
        case port(String)
    }

    package init(host: String, port: UInt16?) {
        self.host = host
        self.port = port
    }

    /// Reads an authority. The port follows the last colon outside of brackets.
    package init(_ text: some StringProtocol) throws(Problem) {
        let text = String(text)
        isBracketed = text.utf8.first == Self.opening
        let (host, rest) = Self.split(text)
        guard !host.utf8.contains(Self.opening), !host.utf8.contains(Self.closing) else { throw .brackets }
        self.host = String(host)
        guard let first = rest.utf8.first else {
            guard !isBracketed || text.utf8.last == Self.closing else { throw .brackets }
            return
        }
        guard first == Self.colon else { throw .brackets }
        let portText = Substring(rest.utf8.dropFirst())
        // Int reads a sign too.
        guard portText.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt16(portText)
        else { throw .port(String(portText)) }
        port = number
    }

    private static let opening = UInt8(ascii: "[")
    private static let closing = UInt8(ascii: "]")
    private static let colon = UInt8(ascii: ":")

    /// The host of an authority whose port does not matter. The port may be empty (RFC 3986, section 3.2.3).
    package static func host(of authority: String) -> String {
        String(split(authority).host)
    }

    /// Why a text cannot be a host's name or address alone.
    package enum HostProblem: Hashable, Sendable {
        /// It is empty, or has something besides a host, such as a scheme, a port or a path.
        case form
        /// It has letters that are not ASCII. Requests and redirects have other letters for them (RFC 5891): it would
        /// never be equal to the name in one.
        case letters

        /// What follows the text in a message.
        package var cause: String {
            switch self {
            case .form: "is no name of a host"
            case .letters: "is a name that browsers and servers send as xn--…"
            }
        }

        package var remedy: String {
            switch self {
            case .form: "write the name alone, without http://, port or path"
            case .letters: "write it so, as in xn--mnchen-3ya.example for münchen.example"
            }
        }
    }

    /// What is wrong with a host's name or address alone; nil if nothing is. An IPv6 address has several colons.
    package static func problem(ofHost text: String) -> HostProblem? {
        let isHost =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value != 0x7F && !"/?#@*,".unicodeScalars.contains($0)
            }
            && text.utf8.count { $0 == colon } != 1
        guard isHost else { return .form }
        return text.utf8.allSatisfy { $0 < 0x80 } ? nil : .letters
    }

    /// The host without brackets, and the rest: nothing, or a colon and a port if the text is valid.
    private static func split(_ text: String) -> (host: Substring, rest: Substring) {
        if text.utf8.first == opening {
            let host = text.utf8.dropFirst().prefix { $0 != closing }
            return (Substring(host), Substring(text.utf8[host.endIndex...].dropFirst()))
        }
        let end = text.utf8.lastIndex(of: colon) ?? text.endIndex
        return (text[..<end], text[end...])
    }

    /// An IPv6 address is in brackets.
    package var description: String {
        let host = host.utf8.contains(Self.colon) ? "[\(host)]" : host
        return port.map { "\(host):\($0)" } ?? host
    }

    /// Whether the host is this computer, by name or address, so that nobody can eavesdrop on the way.
    package var isLoopback: Bool {
        let host = host.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 })
    }
}
