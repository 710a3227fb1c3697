import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The server: pages, managing API and content on one socket.
package struct ContentService {
    private let services: CuratorServices
    private let host: String
    private let port: Int
    private let logger: Logger

    package init(_ services: CuratorServices, host: String, port: Int, logger: Logger) {
        self.services = services
        self.host = host
        self.port = port
        self.logger = logger
    }

    package func run() async throws {
        let responder = CuratorRouter.responder(services)
        let logger = logger
        let server = try HTTPServerBuilder.http1().buildServer(
            configuration: .init(address: .hostname(host, port: port)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
        ) { request, writer, channel in
            let context = CuratorContext(
                source: .init(
                    address: channel.remoteAddress?.ipAddress ?? "unknown", isSecure: false, logger: logger))
            var response: Response
            do {
                response = try await responder.respond(to: request, context: context)
            } catch let error as HTTPError {
                response = RefusalMiddleware.json(Refusal(error.status.code, "nothing is there", whatToDo: ""))
            }
            SecurityHeaders.add(to: &response, isSecure: context.isSecure)
            try await writer.write(response: response.head, body: response.body)
        }
        try await server.run()
    }
}
