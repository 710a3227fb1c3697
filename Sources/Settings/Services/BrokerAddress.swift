import Beacon
import Text

/// The address of a broker, from `mqtt://user@host:1883` or `mqtts://host`; of a cluster, from `mqtt://user@host,host`.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    package var isSecure: Bool
    package var user: String?
    package var host: String
    package var port: UInt16
    /// The cluster's other nodes.
    private var others: [HostPort] = []

    /// More than any cluster has.
    private static let mostNodes = 16

    /// The addresses of the nodes, one each. There is at least one.
    package var nodes: [BrokerAddress] {
        [BrokerAddress(isSecure: isSecure, user: user, host: host, port: port)]
            + others.map { BrokerAddress(isSecure: isSecure, user: user, host: $0.host, port: $0.port ?? port) }
    }

    /// Why a text is not the address of a broker, and what to write.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

    /// A broker on this computer.
    package static let local = BrokerAddress(isSecure: false, user: nil, host: "localhost", port: 1883)

    private init(isSecure: Bool, user: String?, host: String, port: UInt16) {
        self.isSecure = isSecure
        self.user = user
        self.host = host
        self.port = port
    }

    /// The ports that IANA has registered for MQTT, without and with TLS.
    private static let ports: [String: UInt16] = ["mqtt": 1883, "mqtts": 8883]

    package init(_ text: String) throws(Problem) {
        // By octets, as in `HostPort`: to Swift, a slash with a combining mark behind it is another character.
        let lower = text.lowercased()
        guard let scheme = Self.ports.keys.first(where: { lower.utf8.starts(with: "\($0)://".utf8) }),
            let standardPort = Self.ports[scheme]
        else { throw Problem(description: "\"\(excerpt(withoutUser(text)))\" does not begin with mqtt:// or mqtts://") }
        isSecure = scheme == "mqtts"
        var rest = Substring(text.utf8.dropFirst(scheme.utf8.count + 3))
        if rest.utf8.last == UInt8(ascii: "/") { rest = Substring(rest.utf8.dropLast()) }

        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let user = rest[..<at]
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                throw Problem(description: "has a password in it; put that in a file and name it in mqtt.password_file")
            }
            guard let name = Self.unescaped(user), !name.isEmpty, !name.utf8.contains(where: Self.isControl) else {
                throw Problem(description: "\"\(excerpt(text))\" has no valid user name before the @")
            }
            self.user = name
            rest = rest[rest.utf8.index(after: at)...]
        }
        let hosts = rest.utf8.split(
            separator: UInt8(ascii: ","), maxSplits: Self.mostNodes, omittingEmptySubsequences: false)
        guard hosts.count <= Self.mostNodes else {
            throw Problem(description: "names more than \(Self.mostNodes) hosts")
        }
        let nodes = try hosts.map { (host) throws(Problem) in
            try Self.node(Substring(host), standardPort: standardPort, of: text)
        }
        guard let first = nodes.first else { throw Problem(description: "\"\(excerpt(text))\" names no host") }
        host = first.host
        port = first.port ?? standardPort
        others = Array(nodes.dropFirst())
    }

    private static func node(
        _ host: Substring, standardPort: UInt16, of text: String
    ) throws(Problem) -> HostPort {
        let address: HostPort
        do {
            address = try HostPort(host)
        } catch {
            switch error {
            case .brackets:
                throw Problem(
                    description:
                        "\"\(excerpt(text))\" has no address in brackets before its port, as in mqtt://[::1]:1883")
            case .port: throw Problem(description: "\"\(excerpt(text))\" has no port from 1 to 65535 after the colon")
            }
        }
        guard address.isBracketed || !address.host.utf8.contains(UInt8(ascii: ":")), address.port != 0 else {
            throw Problem(description: "\"\(excerpt(text))\" has no port from 1 to 65535 after the colon")
        }
        guard !address.host.isEmpty, !address.host.unicodeScalars.contains(where: isForbidden) else {
            throw Problem(description: "\"\(excerpt(text))\" names no host, as in mqtt://broker.example:1883")
        }
        return HostPort(host: address.host, port: address.port ?? standardPort)
    }

    /// Without the user.
    package var description: String {
        let hosts = [HostPort(host: host, port: port)] + others
        return "\(isSecure ? "mqtts" : "mqtt")://\(hosts.map { "\($0)" }.joined(separator: ","))"
    }

    /// A zero would end the name on its way to the broker, and brokers may refuse the others (MQTT 3.1.1, 1.5.3).
    private static func isControl(_ octet: UInt8) -> Bool { octet < 0x20 || octet == 0x7F }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || scalar.value == 0x7F || "/?#@[]".unicodeScalars.contains(scalar)
    }

    /// RFC 3986, section 2.1.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap(hexDigit)
            guard digits.count == 2 else { return nil }
            bytes.append(digits[0] << 4 | digits[1])
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
