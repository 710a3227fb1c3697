import Console
import Events
package import Logging
import ServiceLifecycle
package import Serving
package import Settings

/// The daemon's HTTP API: on the Unix socket and, if enabled, read-only on TCP.
package struct ControlService: Service {
    private let identity: ServerIdentity
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
        self.init(
            .daemon, routes: routes, schemas: ControlSchemas.daemon, settings: settings, refusalPage: refusalPage,
            logger: logger)
    }

    /// The same server for another program: these routes, and the routes that list and describe them.
    ///
    /// - Parameter schemas: the schemas that the answers of the routes refer to.
    package init(
        _ identity: ServerIdentity, routes: [ControlRoute], schemas: [String: Schema], settings: ControlSettings,
        refusalPage: RefusalPage? = nil, logger: Logger
    ) {
        self.identity = identity
        self.routes = IndexRoutes(identity, of: routes, schemas: schemas).all + routes
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
        identity = .daemon
        routes = ["/", "/**"].flatMap { path in
            [ControlRoute.Method.get, .post].map { ControlRoute($0, path, "Why the daemon does nothing", answer) }
        }
        refusalPage = nil
        self.settings = settings
        self.logger = logger
    }

    /// Runs until the daemon ends.
    ///
    /// - Throws: `SocketError` if it cannot listen.
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
                            identity, routes, guards: isLocal ? nil : NetworkGuard(identity, settings),
                            streams: streams, transfers: transfers, refusalPage: isLocal ? nil : refusalPage)
                        group.addTask {
                            try await ControlServer.make(identity, responder, settings: settings, logger: logger)
                                .serve(socket)
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
            // Listening is tried again and again, and each attempt would cost a descriptor.
            for (socket, _) in sockets { socket.discard() }
            throw error
        }
        return sockets
    }
}
