import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypes
package import NIOPosix
package import Platform

/// HTTP on one socket, with a limit for everything that a client can make it keep.
package struct BoundedServer: Sendable {
    private let channel: HTTP1Channel
    private let clients: Clients
    private let admission: Admission
    private let limits: Limits
    private let threads: Threads
    private let logger: Logger
    private let realm: String
    private let prepare: Prepare?

    /// The most refusals that are sent at the same time. Further clients are disconnected without one.
    private static let mostRefusals = 32

    package struct Limits: Sendable {
        /// The maximum number of simultaneous connections.
        package var connections: Int
        /// The maximum number of connections from one address.
        package var connectionsOfAddress: Int
        /// Seconds until a request must be complete, and for which a connection may be idle.
        package var requestTimeout: Double
        /// Bytes per second of a body that extend that time; nil if bodies do not extend it.
        package var leastRate: Double?
        /// Seconds in which a client must accept what is sent.
        package var writeTimeout: Double
        /// Seconds for a client that is answered early to send the rest of its request and to read the answer.
        package var lingerTime: Double

        package init(
            connections: Int, connectionsOfAddress: Int, requestTimeout: Double, leastRate: Double? = nil,
            writeTimeout: Double, lingerTime: Double = 5
        ) {
            self.connections = connections
            self.connectionsOfAddress = connectionsOfAddress
            self.requestTimeout = requestTimeout
            self.leastRate = leastRate
            self.writeTimeout = writeTimeout
            self.lingerTime = lingerTime
        }
    }

    /// The threads that do the work.
    package struct Threads: Sendable {
        package var connections: MultiThreadedEventLoopGroup
        /// Nil for the cooperative pool.
        package var requests: ThreadExecutor?

        package init(connections: MultiThreadedEventLoopGroup, requests: ThreadExecutor?) {
            self.connections = connections
            self.requests = requests
        }
    }

    /// A response, and whether the rest of the request is read so that the connection can be used again.
    package struct Answer: Sendable {
        package var response: Response
        package var keepsConnection: Bool

        package init(_ response: Response, keepsConnection: Bool = true) {
            self.response = response
            self.keepsConnection = keepsConnection
        }
    }

    package typealias Respond = @Sendable (Request, Client, any Channel) async -> Answer
    /// Adds handlers before HTTP, on the connection's event loop: TLS.
    package typealias Prepare = @Sendable (any Channel) throws -> Void

    /// - Parameter realm: what refusals name as the realm.
    package init(
        limits: Limits, threads: Threads, realm: String, logger: Logger, prepare: Prepare? = nil,
        respond: @escaping Respond
    ) {
        self.limits = limits
        self.threads = threads
        self.realm = realm
        self.logger = logger
        self.prepare = prepare
        let clients = Clients()
        self.clients = clients
        admission = Admission(maximum: limits.connections, maximumOfAddress: limits.connectionsOfAddress)
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 16_384
        decoder.maxHeaderListSize = 32_768
        decoder.maxHeaderFieldCount = 100
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                HeadAnswers(), LingeringClose(seconds: limits.lingerTime), BadRequestHandler(realm: realm),
                WriteDeadline(seconds: limits.writeTimeout),
                RequestDeadline(seconds: limits.requestTimeout, leastRate: limits.leastRate), ClientWatch(clients),
            ],
            idleTimeout: .nanoseconds(Int64(limits.requestTimeout * 1e9)), httpDecoderConfiguration: decoder)
        channel = HTTP1Channel(
            responder: { request, writer, channel in
                guard let client = clients[channel] else { throw CancellationError() }
                var request = request
                let awaited = AwaitedBody(of: request, on: channel)
                if let awaited { request.body = RequestBody(asyncSequence: awaited) }
                var answer = await respond(request, client, channel)
                // Whether the client now sends the body or its next request is not known.
                if awaited?.isWanted == false {
                    answer.keepsConnection = false
                    answer.response.headers[.connection] = "close"
                }
                try await writer.write(response: answer.response.head, body: answer.response.body)
                if !answer.keepsConnection { throw CancellationError() }
            }, configuration: configuration)
    }

    /// Serves a socket until the task is cancelled. All connections then end too.
    package func serve(_ socket: ListeningSocket) async throws {
        try await withTaskExecutorPreference(threads.requests) { try await serveHere(socket) }
    }

    private struct Accepted: Sendable {
        let connection: HTTP1Channel.Value
        let client: Client
    }

    private func serveHere(_ socket: ListeningSocket) async throws {
        let accepted = AcceptedConnections()
        defer { accepted.close() }
        let listener = try await ServerBootstrap(group: threads.connections)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.descriptor) { [channel, clients, admission, logger, prepare] connection in
                let client = admission.admit(connection.remoteAddress)
                clients.set(client, for: connection)
                connection.closeFuture.whenComplete { _ in clients.set(nil, for: connection) }
                return connection.eventLoop.makeCompletedFuture {
                    try prepare?(connection)
                    try connection.pipeline.syncOperations.addHandler(RequestStart())
                }
                .flatMap { channel.setup(channel: connection, logger: logger) }
                .flatMapThrowing { connection in
                    try HeadCheck.add(to: connection.channel.pipeline.syncOperations)
                    accepted.add(connection)
                    return Accepted(connection: connection, client: client)
                }
            }
        let refusals = ConnectionLimit(maximum: Self.mostRefusals)
        try await listener.executeThenClose { inbound in
            try await withThrowingDiscardingTaskGroup { group in
                for try await accepted in inbound {
                    group.addTask { [channel, logger, realm] in
                        if let refusal = accepted.client.refusal {
                            return await Self.refuse(accepted.connection, refusal, realm, refusals.take())
                        }
                        await channel.handle(value: accepted.connection, logger: logger)
                        // The client also counts until the work for it has ended.
                        withExtendedLifetime(accepted.client) {}
                    }
                }
            }
        }
    }

    private static func refuse(
        _ connection: HTTP1Channel.Value, _ refusal: Refusal, _ realm: String, _ place: ConnectionLimit.Slot?
    ) async {
        var failure = refusal.response(realm: realm)
        failure.headers[.connection] = "close"
        let buffer = ByteBuffer(string: refusal.json + "\n")
        try? await connection.executeThenClose { [head = failure.head] _, output in
            guard place != nil else { return }
            try await output.write(contentsOf: [.head(head), .body(buffer), .end(nil)])
        }
    }
}
