/// Where the daemon listens for requests, and who may send them.
package struct ControlSettings: Hashable, Sendable {
    /// The Unix socket; nil for none. A socket passed by systemd (sd_listen_fds(3)) takes precedence.
    package var socket: String?
    /// Whether the API is available on this machine, by that socket or systemd's.
    package private(set) var isLocal = true
    /// The TCP address on which the API is available read-only; nil for none.
    package var listen: ListenAddress?
    /// The token that a client on TCP must send; nil if none is needed.
    package var token: String?
    /// Names by which clients on TCP may address this host, besides its addresses, its own name and localhost.
    package var hosts: [String]
    /// The time-out, in seconds, after which a client that accepts no data is disconnected.
    package var writeTimeout: Double
    /// The time-out, in seconds, for a complete request, and for an unused connection.
    package var requestTimeout: Double
    /// The maximum number of connections on each socket.
    package var maximumConnections: Int
    /// The maximum number of connections from one address. This host itself may have half of all, because they may come
    /// from a proxy.
    package var maximumConnectionsOfAddress: Int
    /// The maximum number of event streams.
    package var maximumStreams: Int

    package init(
        socket: String?, listen: ListenAddress? = nil, token: String? = nil,
        hosts: [String] = [], writeTimeout: Double = 30, requestTimeout: Double = 60, maximumConnections: Int = 512,
        maximumConnectionsOfAddress: Int = 64, maximumStreams: Int = 256
    ) {
        self.socket = socket
        self.listen = listen
        self.token = token
        self.hosts = hosts
        self.writeTimeout = writeTimeout
        self.requestTimeout = requestTimeout
        self.maximumConnections = maximumConnections
        self.maximumConnectionsOfAddress = maximumConnectionsOfAddress
        self.maximumStreams = maximumStreams
    }

    /// Whether a text can be a token: it is sent in a header field and in a cookie.
    package static func isToken(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") }
    }

    /// The same settings, only for this machine.
    package var locally: ControlSettings {
        var settings = self
        settings.listen = nil
        return settings
    }

    /// The same settings, only for TCP; nil if TCP is not enabled.
    package var overNetwork: ControlSettings? {
        guard listen != nil else { return nil }
        var settings = self
        settings.socket = nil
        settings.isLocal = false
        return settings
    }
}
