/// The messages of the client.
package enum ProxyRequest {
    /// The version of the API that this client knows. A proxy with a newer one understands it.
    static let version: (major: UInt64, minor: UInt64) = (1, 10)

    package static func hello(_ client: String) -> ProxyFrame {
        var writer = ProtobufWriter()
        writer.text(1, client)
        writer.number(2, version.major)
        writer.number(3, version.minor)
        return ProxyFrame(type: 1, payload: writer.octets)
    }

    /// Without a password, because encryption has replaced passwords. The proxy answers only if it refuses that.
    package static let login = ProxyFrame(type: 3)
    package static let ping = ProxyFrame(type: 7)
    package static let pong = ProxyFrame(type: 8)
    package static let deviceInfo = ProxyFrame(type: 9)

    /// Asks for advertisements as they were received, several in one message.
    package static var advertisements: ProxyFrame {
        var writer = ProtobufWriter()
        writer.number(1, 1)
        return ProxyFrame(type: 66, payload: writer.octets)
    }
}
