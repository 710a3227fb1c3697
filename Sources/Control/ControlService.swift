import Console
public import Logging
public import ServiceLifecycle

/// The daemon as others can ask it: HTTP on the Unix socket, and to read only on TCP where that is switched on.
public struct ControlService: Service {
    private let routes: [ControlRoute]
    private let settings: ControlSettings
    private let logger: Logger

    /// - Parameters:
    ///   - more: what other parts of the daemon give: history, metrics, the page.
    public init(
        _ daemon: any DaemonAccess, settings: ControlSettings, more: [ControlRoute] = [], logger: Logger
    ) {
        let routes =
            DaemonRoutes.all(daemon) + EventRoutes.all(daemon.hub) + ContentRoutes.all(daemon) + more
        self.routes = [Self.index(of: routes)] + routes
        self.settings = settings
        self.logger = logger
    }

    /// Runs until the daemon ends. Throws `ControlSocketError` where it cannot be listened.
    public func run() async throws {
        let sockets = try Self.sockets(settings)
        defer { for (socket, _) in sockets { socket.release() } }
        let streams = Places(maximum: settings.maximumStreams, meter: "beacond_http_event_streams")
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (socket, isLocal) in sockets {
                        let responder = ControlResponder(
                            routes, guards: isLocal ? nil : NetworkGuard(settings), streams: streams)
                        group.addTask {
                            try await ControlServer(responder, settings: settings, logger: logger).serve(socket)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        } catch is CancellationError {
            // That is how it ends.
        }
    }

    private static func sockets(_ settings: ControlSettings) throws -> [(ListeningSocket, isLocal: Bool)] {
        var sockets: [(ListeningSocket, isLocal: Bool)] = []
        if settings.isLocal { sockets = try ListeningSocket.inherited(isUnix: true).map { ($0, isLocal: true) } }
        if sockets.isEmpty, let path = settings.socket { sockets.append((try .bound(to: path), isLocal: true)) }
        do {
            let inherited = settings.listen == nil ? [] : try ListeningSocket.inherited(isUnix: false)
            sockets += inherited.map { ($0, isLocal: false) }
            guard settings.token != nil || inherited.allSatisfy(\.isLoopback) else {
                throw ControlSocketError(
                    "a port of systemd", "others on the network reach it, so a token has to be asked for", nil,
                    remedy: "set http.token_file, or let the socket unit listen on 127.0.0.1")
            }
            if inherited.isEmpty, let address = settings.listen {
                sockets.append((try .bound(to: address), isLocal: false))
            }
        } catch {
            for (socket, _) in sockets { socket.release() }
            throw error
        }
        return sockets
    }

    /// What there is, for people who look for it.
    private static func index(of others: [ControlRoute]) -> ControlRoute {
        var index = ControlRoute(.get, "/v1", "This list") { _ in .json("") }
        let routes = [index] + others
        index.answer = { _ in
            var json = JSONText()
            json.object { json in
                json.array("routes") { json in
                    for route in routes {
                        json.object { json in
                            json.value("method", route.method.rawValue)
                            json.value("path", route.path)
                            json.value("help", route.help)
                        }
                    }
                }
            }
            return .json(json.text)
        }
        return index
    }
}
