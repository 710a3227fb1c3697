import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
package import Serving

/// The server: pages, managing API and content on one or more sockets.
package struct ContentService: Sendable {
    private let services: CuratorServices
    private let sockets: [ListeningSocket]
    private let limits: BoundedServer.Limits
    private let tls: TLSMaterial?
    private let logger: Logger

    /// - Parameter tls: nil for plain HTTP.
    package init(
        _ services: CuratorServices, sockets: [ListeningSocket], limits: BoundedServer.Limits = Self.limits,
        tls: TLSMaterial? = nil, logger: Logger
    ) {
        self.services = services
        self.sockets = sockets
        self.limits = limits
        self.tls = tls
        self.logger = logger
    }

    /// For a museum's devices and curators on a network; a large upload over a slow line takes its time.
    package static let limits = BoundedServer.Limits(
        connections: 1024, connectionsOfAddress: 128, requestTimeout: 30, leastRate: 16_384, writeTimeout: 30)

    /// Runs until its task is cancelled.
    package func run() async throws {
        let responder = CuratorResponder(services)
        let threads = BoundedServer.Threads(
            connections: MultiThreadedEventLoopGroup(numberOfThreads: 2), requests: nil)
        var prepare: BoundedServer.Prepare?
        if let tls { prepare = { channel in try tls.add(to: channel) } }
        let (logger, isEncrypted) = (logger, tls != nil)
        let server = BoundedServer(
            limits: limits, threads: threads, realm: CuratorRouter.realm, logger: logger, prepare: prepare
        ) { request, client, channel in
            await responder.answer(request, client, channel, isEncrypted: isEncrypted, logger: logger)
        }
        defer { for socket in sockets { socket.release() } }
        let previews = services.previews
        let serving = Task { [sockets] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for socket in sockets { group.addTask { try await server.serve(socket) } }
                try await group.waitForAll()
            }
        }
        let end = await withTaskCancellationHandler {
            await serving.result
        } onCancel: {
            serving.cancel()
        }
        // In a task that nobody has cancelled, so that the daemons are waited for.
        await Task { await previews.endAll() }.value
        try end.get()
    }
}
