package import NIOCore
package import NIOPosix
import Synchronization

/// One attempt to connect. It ends as soon as its task is cancelled. NIO alone would wait for its time-out, and a name
/// lookup may take even longer.
package final class ConnectionAttempt<Connection: Sendable>: Sendable {
    private struct Opened: Sendable {
        var channel: any Channel
        var connection: Connection
    }

    private struct State {
        var isGivenUp = false
        /// One channel for each address that is tried.
        var channels: [any Channel] = []
        var waiting: CheckedContinuation<Connection, any Error>?
    }

    private let limit: Duration
    private let options: @Sendable (ClientBootstrap) -> ClientBootstrap
    private let preparing: @Sendable (any Channel) throws -> Connection
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the time limit for the name lookup and the connection together.
    ///   - options: adds options to those of the attempt.
    ///   - preparing: adds handlers to a new channel and returns what callers get of it. It is called on the channel's
    ///     event loop, once for each address that is tried.
    package init(
        within limit: Duration, options: @escaping @Sendable (ClientBootstrap) -> ClientBootstrap = { $0 },
        preparing: @escaping @Sendable (any Channel) throws -> Connection
    ) {
        self.limit = limit
        self.options = options
        self.preparing = preparing
    }

    /// Connects over TCP. To be called once.
    ///
    /// - Parameter host: a name, or an address without brackets.
    /// - Throws: `CancellationError` if the task is cancelled; NIO's errors.
    package func connection(to host: String, port: UInt16) async throws -> Connection {
        // An address needs no resolver, which may be busy with the names of others.
        if let address = try? SocketAddress(ipAddress: host, port: Int(port)) {
            return try await connection(to: address)
        }
        return try await result(of: { [self] in
            try await bootstrap().connect(host: host, port: Int(port), channelInitializer: prepare)
        })
    }

    /// Connects to an address, which may be that of a Unix socket. To be called once.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; NIO's errors.
    package func connection(to address: SocketAddress) async throws -> Connection {
        try await result(of: { [self] in
            try await bootstrap().connect(to: address, channelInitializer: prepare)
        })
    }

    /// The result of `connect`, which goes on by itself if the task is cancelled.
    private func result(of connect: @escaping @Sendable () async throws -> Opened) async throws -> Connection {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isGivenUp = state.withLock { state in
                    if !state.isGivenUp { state.waiting = continuation }
                    return state.isGivenUp
                }
                guard !isGivenUp else { return continuation.resume(throwing: CancellationError()) }
                Task {
                    do {
                        finish(.success(try await connect()))
                    } catch {
                        finish(.failure(error))
                    }
                }
            }
        } onCancel: {
            giveUp()
        }
    }

    private func bootstrap() -> ClientBootstrap {
        options(ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(TimeAmount(limit)))
    }

    @Sendable
    private func prepare(_ channel: any Channel) -> EventLoopFuture<Opened> {
        channel.eventLoop.makeCompletedFuture {
            try self.add(channel)
            return Opened(channel: channel, connection: try self.preparing(channel))
        }
    }

    /// Adds a new channel.
    ///
    /// - Throws: if the attempt was given up.
    private func add(_ channel: any Channel) throws {
        let isGivenUp = state.withLock { state in
            if !state.isGivenUp { state.channels.append(channel) }
            return state.isGivenUp
        }
        if isGivenUp { throw CancellationError() }
    }

    private func finish(_ result: Result<Opened, any Error>) {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.channels) = (nil, []) }
            return state.waiting
        }
        if let waiting { return waiting.resume(with: result.map { $0.connection }) }
        // The result is too late. Releasing a `NIOAsyncChannel` while it is open would end the program.
        guard case .success(let late) = result else { return }
        late.channel.closeFuture.whenComplete { _ in withExtendedLifetime(late) {} }
        late.channel.close(promise: nil)
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
