import Text

/// The address of a controller that speaks H4.
package enum H4Endpoint: Hashable, Sendable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    case unix(path: String)
    /// A serial line, 8 data bits, no parity, hardware flow control (Core Specification Vol 4, Part A, 3).
    case serial(device: String, baud: Int)

    /// Bits a second. Bluetooth controllers start at this speed.
    package static let defaultBaud = 115_200

    /// Reads `tcp:HOST:PORT`, `unix:PATH` or `serial:/dev/ttyX[,BAUD]`.
    ///
    /// - Throws: `badSource`, with the part that is wrong.
    package init(_ text: some StringProtocol, of specification: String) throws(RadioError) {
        func bad(_ problem: String, _ remedy: String) -> RadioError {
            RadioError(.badSource, at: "source \"\(excerpt(specification))\"", problem, remedy: remedy)
        }
        // By octets: a path may begin with a mark that Swift joins with the colon.
        let octets = String(text).utf8
        let parts = octets.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { Substring($0) }
        let rest = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "tcp":
            let address: HostPort
            do {
                address = try HostPort(rest)
            } catch .port(let port) where !rest.hasPrefix(":") {
                throw bad("has the port \"\(excerpt(port))\"", "a port is a number from 1 to 65535")
            } catch {
                throw bad("has no host and port", "write h4:tcp:HOST:PORT, for example h4:tcp:localhost:7402")
            }
            guard !address.host.isEmpty, let port = address.port else {
                throw bad("has no host and port", "write h4:tcp:HOST:PORT, for example h4:tcp:localhost:7402")
            }
            guard port > 0 else { throw bad("has the port \"0\"", "a port is a number from 1 to 65535") }
            self = .tcp(host: address.host, port: port)
        case "unix":
            guard !rest.isEmpty else { throw bad("has no path", "write h4:unix:PATH") }
            self = .unix(path: String(rest))
        case "serial":
            let fields = rest.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { Substring($0) }
            guard let device = fields.first, !device.isEmpty, fields.count <= 2 else {
                throw bad("has no device", "write h4:serial:/dev/ttyX[,BAUD]")
            }
            let baud = fields.count == 2 ? Int(fields[1]) : Self.defaultBaud
            guard let baud, SerialLine.speeds[baud] != nil else {
                let known = SerialLine.speeds.keys.sorted().map(String.init).joined(separator: ", ")
                throw bad("has the speed \"\(excerpt(fields[1]))\"", "known speeds: \(known)")
            }
            self = .serial(device: String(device), baud: baud)
        default:
            throw bad("names no transport", "write h4:tcp:HOST:PORT, h4:unix:PATH or h4:serial:DEVICE")
        }
    }

    package var description: String {
        switch self {
        case .tcp(let host, let port): "h4:tcp:\(HostPort(host: host, port: port))"
        case .unix(let path): "h4:unix:\(path)"
        case .serial(let device, let baud): "h4:serial:\(device),\(baud)"
        }
    }
}
