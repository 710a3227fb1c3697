import Beacon
import NIOCore
import NIOPosix
import Radio
import Synchronization
import TestSupport
import Testing

/// Nothing is delivered here.
private struct Nobody: PacketReceiver {
    func receive(_ packet: RawSpan, at time: Timestamp) {}
    func transportDidClose(_ error: RadioError?) {}
}

/// A resolver that does not answer until it is ended.
private final class SilentResolver: Resolver, Sendable {
    private struct State {
        var promises: [EventLoopPromise<[SocketAddress]>] = []
        var isOver = false
    }

    private let state = Mutex(State())

    /// How many questions wait for an answer.
    var questions: Int { state.withLock { $0.promises.count } }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { question() }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { question() }

    func cancelQueries() {}

    /// Fails all questions, later ones too. NIO ends the program if a promise is released without a result.
    func end() {
        let promises = state.withLock { state in
            state.isOver = true
            return state.promises
        }
        for promise in promises { promise.fail(ChannelError.eof) }
    }

    private func question() -> EventLoopFuture<[SocketAddress]> {
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [SocketAddress].self)
        let isOver = state.withLock { state in
            if !state.isOver { state.promises.append(promise) }
            return state.isOver
        }
        if isOver { promise.fail(ChannelError.eof) }
        return promise.futureResult
    }
}

@Suite("H4 over a network", .timeLimit(.minutes(10)))
struct H4TransportTests {
    @Test("gives up a connection that is not answered as soon as it is cancelled")
    func cancelled() async throws {
        let port = try FullPort()
        let transport = H4Transport(
            .tcp(host: "127.0.0.1", port: UInt16(port.number)), answeringWithin: .seconds(3600))
        let opening = Task { try await transport.open(delivering: Nobody()) }
        try await port.atFirstConnection { opening.cancel() }
        let error = await #expect(throws: RadioError.self) { try await opening.value }
        #expect(error?.problem == "cannot connect: no answer so far")
        withExtendedLifetime(port) {}
    }

    @Test("does not connect if it was cancelled before")
    func cancelledBefore() async throws {
        let port = try FullPort()
        let transport = H4Transport(
            .tcp(host: "127.0.0.1", port: UInt16(port.number)), answeringWithin: .seconds(3600))
        let opening = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await transport.open(delivering: Nobody())
        }
        let error = await #expect(throws: RadioError.self) { try await opening.value }
        #expect(error?.problem == "cannot connect: no answer so far")
        #expect(try port.waiting() == 0)
    }

    @Test("gives up a name lookup as soon as it is cancelled")
    func lookup() async throws {
        let resolver = SilentResolver()
        defer { resolver.end() }
        let transport = H4Transport(
            .tcp(host: "controller.test", port: 7402), answeringWithin: .seconds(3600), resolver: resolver)
        let opening = Task { try await transport.open(delivering: Nobody()) }
        try await waitUntil("it looks up the name") { resolver.questions > 0 }
        opening.cancel()
        let error = await #expect(throws: RadioError.self) { try await opening.value }
        #expect(error?.problem == "cannot connect: no answer so far")
    }

    @Test("says that a name lookup has not ended in time")
    func slowLookup() async throws {
        let resolver = SilentResolver()
        defer { resolver.end() }
        let transport = H4Transport(
            .tcp(host: "controller.test", port: 7402), answeringWithin: .milliseconds(200), resolver: resolver)
        let error = await #expect(throws: RadioError.self) { try await transport.open(delivering: Nobody()) }
        #expect(error?.problem.hasPrefix("cannot connect: no answer within") == true)
    }

    @Test("says that a path is too long for a socket")
    func longPath() async throws {
        let transport = H4Transport(.unix(path: "/" + String(repeating: "x", count: 200)))
        let error = await #expect(throws: RadioError.self) { try await transport.open(delivering: Nobody()) }
        #expect(error?.problem == "cannot connect: the path is too long for a socket")
    }

    @Test("connects to an address without a name lookup")
    func address() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let resolver = SilentResolver()
        defer { resolver.end() }
        let transport = H4Transport(.tcp(host: "127.0.0.1", port: UInt16(port)), resolver: resolver)
        try await transport.open(delivering: Nobody())
        #expect(resolver.questions == 0)
        await transport.close()
        try await server.close()
    }
}
