/// Where the daemon can be asked, and by whom.
package struct ControlSettings: Hashable, Sendable {
    /// The Unix socket; nil for none. What systemd hands over (sd_listen_fds(3)) comes before it.
    package var socket: String?
    /// Whether it is offered on this machine, by that socket or systemd's.
    package private(set) var isLocal = true
    /// Where the same is offered over TCP, to read only; nil for nowhere.
    package var listen: ListenAddress?
    /// What a client on TCP has to show; nil for nothing.
    package var token: String?
    /// Names by which clients on TCP may call this host, besides its addresses, its own name and localhost.
    package var hosts: [String]
    /// Seconds after which a client that takes nothing of what is sent to it is let go.
    package var writeTimeout: Double
    /// Seconds within which a request has to be complete, and after which an unused connection ends.
    package var requestTimeout: Double
    /// Connections at the same time, on each socket.
    package var maximumConnections: Int
    /// How many of them may come from one address. This host's own may have half of all: they may be a proxy's.
    package var maximumConnectionsOfAddress: Int
    /// How many of them may be event streams.
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

    /// The same, for this machine alone.
    package var locally: ControlSettings {
        var settings = self
        settings.listen = nil
        return settings
    }

    /// The same, over TCP alone; nil where that is not switched on.
    package var overNetwork: ControlSettings? {
        guard listen != nil else { return nil }
        var settings = self
        settings.socket = nil
        settings.isLocal = false
        return settings
    }
}
