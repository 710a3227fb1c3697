import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix
import Settings

/// HTTP on one socket. Ends, with all its connections, when its task is cancelled.
struct ControlServer: Sendable {
    private let channel: HTTP1Channel
    private let clients: Clients
    private let admission: Admission
    private let logger: Logger

    /// The most refusals that are sent at a time; further clients are disconnected without one.
    private static let mostRefusals = 32

    init(_ responder: ControlResponder, settings: ControlSettings, logger: Logger) {
        self.logger = logger
        let clients = Clients()
        self.clients = clients
        admission = Admission(
            maximum: settings.maximumConnections, maximumOfAddress: settings.maximumConnectionsOfAddress)
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 16_384
        decoder.maxHeaderListSize = 32_768
        decoder.maxHeaderFieldCount = 100
        let (read, write) = (settings.requestTimeout, settings.writeTimeout)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                BadRequestHandler(), WriteDeadline(seconds: write), RequestDeadline(seconds: read),
                ClientWatch(clients),
            ],
            idleTimeout: .nanoseconds(Int64(read * 1e9)), httpDecoderConfiguration: decoder)
        channel = HTTP1Channel(
            responder: { [logger] request, writer, channel in
                guard let client = clients[channel] else { throw CancellationError() }
                let response = await responder.response(to: request, of: client, logger: logger)
                try await writer.write(response: response.head, body: response.body)
                // The rest of such a request is not read.
                if ControlResponder.isTooLarge(request) { throw CancellationError() }
            }, configuration: configuration)
    }

    func serve(_ socket: ListeningSocket) async throws {
        try await withTaskExecutorPreference(ControlThreads.requests) { try await serveHere(socket) }
    }

    private struct Accepted: Sendable {
        let connection: HTTP1Channel.Value
        let client: Client
    }

    private func serveHere(_ socket: ListeningSocket) async throws {
        let accepted = AcceptedConnections()
        defer { accepted.close() }
        let listener = try await ServerBootstrap(group: ControlThreads.connections)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.descriptor) { [channel, clients, admission, logger] connection in
                let client = admission.admit(connection.remoteAddress)
                clients.set(client, for: connection)
                connection.closeFuture.whenComplete { _ in clients.set(nil, for: connection) }
                return channel.setup(channel: connection, logger: logger).map { connection in
                    accepted.add(connection)
                    return Accepted(connection: connection, client: client)
                }
            }
        let refusals = ConnectionLimit(maximum: Self.mostRefusals)
        try await listener.executeThenClose { inbound in
            try await withThrowingDiscardingTaskGroup { group in
                for try await accepted in inbound {
                    group.addTask { [channel, logger] in
                        if let refusal = accepted.client.refusal {
                            return await Self.refuse(accepted.connection, refusal, refusals.take())
                        }
                        await channel.handle(value: accepted.connection, logger: logger)
                        // The client counts until the work for it has ended too.
                        withExtendedLifetime(accepted.client) {}
                    }
                }
            }
        }
    }

    private static func refuse(
        _ connection: HTTP1Channel.Value, _ refusal: ControlFailure, _ place: ConnectionLimit.Slot?
    ) async {
        var failure = ControlResponder.refusal(refusal)
        failure.headers[.connection] = "close"
        let buffer = ByteBuffer(string: refusal.json + "\n")
        try? await connection.executeThenClose { [head = failure.head] _, output in
            guard place != nil else { return }
            try await output.write(contentsOf: [.head(head), .body(buffer), .end(nil)])
        }
    }
}
