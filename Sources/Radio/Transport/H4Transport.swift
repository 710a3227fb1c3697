import Beacon
import Connecting
import Glibc
import HCI
import NIOCore
package import NIOPosix
import Platform
import Synchronization

/// A controller behind a byte stream: TCP, a Unix socket, or a serial line. Core Specification Vol 4, Part A.
package final class H4Transport: Transport {
    package let endpoint: H4Endpoint
    /// The time-out for connecting.
    private let limit: Duration
    private let resolver: (any Resolver & Sendable)?
    /// One buffer holds everything that waits, except under extreme load.
    private static let buffers = FixedSizeRecvByteBufferAllocator(capacity: 16_384)
    private let channel = Mutex<(any Channel)?>(nil)
    /// Whether this side is closing the connection. Shared with the handler, which runs on another thread.
    private let isClosing = OneWayFlag()

    /// - Parameters:
    ///   - limit: the time-out for connecting.
    ///   - resolver: looks up names; nil for the system's.
    package init(
        _ endpoint: H4Endpoint, answeringWithin limit: Duration = .seconds(5),
        resolver: (any Resolver & Sendable)? = nil
    ) {
        self.endpoint = endpoint
        self.limit = limit
        self.resolver = resolver
    }

    package var sharing: ControllerSharing { .exclusive }

    package func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        let opened: any Channel
        do {
            opened = try await connect(receiver)
        } catch let error as RadioError {
            throw error
        } catch {
            // A cancelled caller has ended the attempt, and reports how far it got.
            let reason = Task.isCancelled ? "no answer so far" : Self.reason(error)
            throw RadioError(
                .cannotOpen, at: endpoint.description, "cannot connect: \(reason)",
                remedy: "check that a controller listens there")
        }
        channel.withLock { $0 = opened }
    }

    private func connect(_ receiver: any PacketReceiver) async throws -> any Channel {
        let (isClosing, place, resolver) = (isClosing, endpoint.description, resolver)
        let prepare: @Sendable (any Channel) throws -> any Channel = { channel in
            try channel.pipeline.syncOperations.addHandler(
                H4Handler(receiver: receiver, place: place, isClosing: isClosing))
            return channel
        }
        // `H4Handler` triggers each read.
        let attempt = ConnectionAttempt<any Channel>(
            within: limit,
            options: {
                $0.resolver(resolver).channelOption(.autoRead, value: false)
                    .channelOption(.recvAllocator, value: Self.buffers)
            },
            preparing: prepare)
        switch endpoint {
        case .tcp(let host, let port):
            return try await attempt.connection(to: host, port: port)
        case .unix(let path):
            return try await attempt.connection(to: SocketAddress(unixDomainSocketPath: path))
        case .serial(let device, let baud):
            // Nothing is waited for here.
            let line = try SerialLine.openBothWays(device, baud: baud)
            return try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { _ = try prepare(channel) }
                }
                .channelOption(.autoRead, value: false).channelOption(.recvAllocator, value: Self.buffers)
                .takingOwnershipOfDescriptors(input: line.input, output: line.output).get()
        }
    }

    package func send(_ packet: [UInt8]) async throws(RadioError) {
        guard let channel = channel.withLock({ $0 }) else {
            throw RadioError(.closed, at: endpoint.description, "the connection is not open")
        }
        // A failure ends the connection.
        channel.writeAndFlush(ByteBuffer(bytes: packet), promise: nil)
    }

    package func close() async {
        isClosing.raise()
        let channel = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try? await channel?.close()
    }

    /// NIO's errors in plain words.
    fileprivate static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first?.error { return reason(first) }
            return "no address for \(error.host)"
        case let error as IOError:
            return String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout(let limit):
            return "no answer within \(limit.nanoseconds / 1_000_000_000) s"
        case is ChannelError:
            return "the connection is closed"
        case SocketAddressError.unixDomainSocketPathTooLong:
            return "the path is too long for a socket"
        default:
            return "the connection failed"
        }
    }
}

/// Cuts the stream into packets on its event loop, which is the transport's thread.
private final class H4Handler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let receiver: any PacketReceiver
    private let place: String
    private let isClosing: OneWayFlag
    private var framer = H4Framer()
    private var pace = ReadingPace(now: 0)
    /// Set during a pause in reading.
    private var pause: Scheduled<Void>?
    private var failure: RadioError?
    private var isOver = false

    init(receiver: any PacketReceiver, place: String, isClosing: OneWayFlag) {
        self.receiver = receiver
        self.place = place
        self.isClosing = isClosing
    }

    func channelActive(context: ChannelHandlerContext) {
        pace = ReadingPace(now: Self.now)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (now, time) = (Self.now, WallClock.now)
        let data = unwrapInboundIn(data)
        receive(data, at: time, age: pace.age(at: now))
        pause?.cancel()
        pause = nil
        let seconds = pace.read(data.readableBytes, at: now)
        guard seconds > 0 else { return }
        pause = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) {
            self.endPause(context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if pause == nil { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        pace.sent()
        if pause != nil { endPause(context) }
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenFailure { self.fail("cannot send", $0, context) }
        context.write(data, promise: promise)
    }

    private func endPause(_ context: ChannelHandlerContext) {
        pause?.cancel()
        pause = nil
        pace.ready(at: Self.now)
        context.read()
    }

    /// A stream has no time stamps, so the octets of one read count as having arrived evenly.
    ///
    /// - Parameter age: seconds since the first octet may have arrived.
    private func receive(_ data: ByteBuffer, at time: Timestamp, age: Double) {
        let (receiver, size) = (receiver, Double(data.readableBytes))
        var rest = size
        data.withUnsafeReadableBytes { bytes in
            framer.append(bytes.bytes) { packet in
                rest = max(0, rest - Double(packet.byteCount))
                if CommandAnswer.isAnswer(packet: packet) { pace.answered() }
                let early = Int64(age * 1e6 * rest / size)
                receiver.receive(packet, at: Timestamp(microseconds: time.microseconds - early))
            }
        }
    }

    /// Seconds on the event loop's clock.
    private static var now: Double { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("the connection broke", error, context)
    }

    private func fail(_ problem: String, _ error: any Error, _ context: ChannelHandlerContext) {
        failure = failure ?? RadioError(.disconnected, at: place, "\(problem): \(H4Transport.reason(error))")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        pause?.cancel()
        pause = nil
        guard !isOver else { return }
        isOver = true
        guard !isClosing.isUp else { return receiver.transportDidClose(nil) }
        receiver.transportDidClose(
            failure
                ?? RadioError(
                    .disconnected, at: place, "the controller closed the connection",
                    remedy: "it ended, or refused a packet: look at its own messages"))
    }
}
