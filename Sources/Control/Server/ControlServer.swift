import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix

/// HTTP on one socket. Ends when its task is cancelled, and all its connections with it.
struct ControlServer: Sendable {
    private let channel: HTTP1Channel
    private let maximumConnections: Int
    private let logger: Logger

    /// Requests have to be complete within this time, and a connection that is not used ends after it.
    private static let idleTimeout = TimeAmount.seconds(60)

    init(_ responder: ControlResponder, settings: ControlSettings, logger: Logger) {
        self.logger = logger
        maximumConnections = settings.maximumConnections
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 16_384
        decoder.maxHeaderListSize = 32_768
        decoder.maxHeaderFieldCount = 100
        let timeout = settings.writeTimeout
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [MistakeCloser(), WriteDeadline(seconds: timeout)], idleTimeout: Self.idleTimeout,
            httpDecoderConfiguration: decoder)
        channel = HTTP1Channel(
            responder: { [logger] request, writer, channel in
                let response = await responder.response(to: request, channel: channel, logger: logger)
                try await writer.write(response: response.head, body: response.body)
                // What such a client goes on sending is not waited for.
                if ControlResponder.isTooLarge(request) { throw CancellationError() }
            }, configuration: configuration)
    }

    func serve(_ socket: ListeningSocket) async throws {
        let accepted = AcceptedConnections()
        defer { accepted.close() }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.descriptor) { [channel, logger] connection in
                channel.setup(channel: connection, logger: logger).map { connection in
                    accepted.add(connection)
                    return connection
                }
            }
        let places = Places(maximum: maximumConnections)
        try await listener.executeThenClose { inbound in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in inbound {
                    group.addTask { [channel, logger, place = places.take()] in
                        guard place != nil else { return await Self.refuse(connection) }
                        await channel.handle(value: connection, logger: logger)
                        withExtendedLifetime(place) {}
                    }
                }
            }
        }
    }

    private static func refuse(_ connection: HTTP1Channel.Value) async {
        let failure = ControlResponder.refusal(
            ControlFailure(503, "too many connections", whatToDo: "end some of them, or ask again later"))
        try? await connection.executeThenClose { _, output in
            var head = failure.head
            head.headerFields[.connection] = "close"
            try await output.write(contentsOf: [.head(head), .end(nil)])
        }
    }
}
