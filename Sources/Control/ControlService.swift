import Console
import Events
package import Logging
import ServiceLifecycle
import Serving
package import Settings
import Text

/// The daemon's HTTP API: on the Unix socket and, if enabled, read-only on TCP.
package struct ControlService: Service {
    private let routes: [ControlRoute]
    private let refusalPage: RefusalPage?
    private let settings: ControlSettings
    private let logger: Logger

    /// - Parameters:
    ///   - more: routes of other parts of the daemon: history, metrics, the page.
    ///   - refusalPage: makes the page that tells people about a refusal; nil sends them the same JSON as programs.
    package init(
        _ daemon: any DaemonAccess, settings: ControlSettings, more: [ControlRoute] = [],
        refusalPage: RefusalPage? = nil, logger: Logger
    ) {
        let rankings = RankingAnswers(names: daemon.hub.names) { daemon.receivers }
        let routes =
            DaemonRoutes(daemon, rankings).all + EventRoutes(daemon.hub, rankings).all + ContentRoutes(daemon).all
            + more
        self.routes = [Self.index(of: routes)] + routes
        self.refusalPage = refusalPage
        self.settings = settings
        self.logger = logger
    }

    /// The service that answers in place of a daemon that cannot start.
    ///
    /// - Parameter answer: answers every request.
    package init(
        insteadOfDaemon answer: @escaping @Sendable (ControlRequest) async throws -> ControlAnswer,
        settings: ControlSettings, logger: Logger
    ) {
        routes = ["/", "/**"].flatMap { path in
            [ControlRoute.Method.get, .post].map { ControlRoute($0, path, "Why the daemon does nothing", answer) }
        }
        refusalPage = nil
        self.settings = settings
        self.logger = logger
    }

    /// Runs until the daemon ends. Throws `SocketError` if it cannot listen.
    package func run() async throws {
        let sockets = try Self.sockets(settings)
        defer { for (socket, _) in sockets { socket.release() } }
        let transfers = FileTransfers()
        let streams = ConnectionLimit(maximum: settings.maximumStreams, meter: "beacond_http_event_streams")
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (socket, isLocal) in sockets {
                        let responder = ControlResponder(
                            routes, guards: isLocal ? nil : NetworkGuard(settings), streams: streams,
                            transfers: transfers, refusalPage: isLocal ? nil : refusalPage)
                        group.addTask {
                            try await ControlServer.make(responder, settings: settings, logger: logger).serve(socket)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        } catch is CancellationError {
            // The normal end.
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
                throw SocketError(
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

    /// The list of all routes.
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
