import NIOCore
import NIOPosix
import Synchronization

/// One attempt to connect to a proxy. It ends as soon as its task is cancelled. NIO would wait for its time-out, and
/// name resolution may take even longer.
final class ProxyConnectionAttempt: Sendable {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private struct State {
        var isGivenUp = false
        /// One channel for each address that is tried.
        var channels: [any Channel] = []
        var waiting: CheckedContinuation<Connection, any Error>?
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// - Parameter limit: the time limit for each address.
    init(within limit: Duration) {
        self.limit = limit
    }

    func connection(to host: String, port: UInt16) async throws -> Connection {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isGivenUp = state.withLock { state in
                    if !state.isGivenUp { state.waiting = continuation }
                    return state.isGivenUp
                }
                guard !isGivenUp else { return continuation.resume(throwing: CancellationError()) }
                Task {
                    do {
                        finish(.success(try await connect(to: host, port: port)))
                    } catch {
                        finish(.failure(error))
                    }
                }
            }
        } onCancel: {
            giveUp()
        }
    }

    private func connect(to host: String, port: UInt16) async throws -> Connection {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(limit))
        // An address needs no resolver, which may be busy with the names of others.
        if let address = try? SocketAddress(ipAddress: host, port: Int(port)) {
            return try await bootstrap.connect(to: address, channelInitializer: prepare)
        }
        return try await bootstrap.connect(host: host, port: Int(port), channelInitializer: prepare)
    }

    @Sendable
    private func prepare(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            try self.add(channel)
            return try Connection(wrappingChannelSynchronously: channel)
        }
    }

    /// Adds a new channel. Throws if the attempt was given up.
    private func add(_ channel: any Channel) throws {
        let isGivenUp = state.withLock { state in
            if !state.isGivenUp { state.channels.append(channel) }
            return state.isGivenUp
        }
        if isGivenUp { throw CancellationError() }
    }

    private func finish(_ result: Result<Connection, any Error>) {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.channels) = (nil, []) }
            return state.waiting
        }
        if let waiting { return waiting.resume(with: result) }
        // The result is too late. Releasing a connection while it is open would end the program.
        guard case .success(let connection) = result else { return }
        connection.channel.closeFuture.whenComplete { _ in withExtendedLifetime(connection) {} }
        connection.channel.close(promise: nil)
    }

    private func giveUp() {
        let (waiting, channels) = state.withLock { state in
            state.isGivenUp = true
            defer { (state.waiting, state.channels) = (nil, []) }
            return (state.waiting, state.channels)
        }
        for channel in channels { channel.close(promise: nil) }
        waiting?.resume(throwing: CancellationError())
    }
}
