import HummingbirdCore
import Logging
import Serving
import Settings

/// The server of the control API on one socket.
enum ControlServer {
    static func make(
        _ identity: ServerIdentity, _ responder: ControlResponder, settings: ControlSettings, logger: Logger
    ) -> BoundedServer {
        let limits = BoundedServer.Limits(
            connections: settings.maximumConnections, connectionsOfAddress: settings.maximumConnectionsOfAddress,
            requestTimeout: settings.requestTimeout, writeTimeout: settings.writeTimeout)
        let threads = BoundedServer.Threads(
            connections: ControlThreads.connections, requests: ControlThreads.requests)
        return BoundedServer(
            limits: limits, threads: threads, realm: identity.name, logger: logger
        ) { request, client, _ in
            let response = await responder.response(to: request, of: client, logger: logger)
            // The rest of a request that is too large is not read.
            return .init(response, keepsConnection: !ControlResponder.isTooLarge(request))
        }
    }
}
