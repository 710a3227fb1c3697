import Beacon
import Glibc
import HCI
import NIOCore
import NIOPosix
import Platform
import Synchronization

/// A controller behind a byte stream: TCP, a Unix socket, or a serial line. Core Specification Vol 4, Part A.
package final class H4Transport: Transport {
    package let endpoint: H4Endpoint
    private let channel = Mutex<(any Channel)?>(nil)
    private let isClosing = Flag()

    package init(_ endpoint: H4Endpoint) {
        self.endpoint = endpoint
    }

    package var sharing: ControllerSharing { .exclusive }

    package func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        let opened: any Channel
        do {
            opened = try await connect(receiver)
        } catch let error as RadioError {
            throw error
        } catch {
            throw RadioError(
                .cannotOpen, at: endpoint.description, "cannot connect: \(Self.reason(error))",
                remedy: "check that a controller listens there")
        }
        channel.withLock { $0 = opened }
    }

    private func connect(_ receiver: any PacketReceiver) async throws -> any Channel {
        let place = endpoint.description
        let isClosing = isClosing
        let initializer: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    H4Handler(receiver: receiver, place: place, isClosing: isClosing))
            }
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let client = ClientBootstrap(group: group).connectTimeout(.seconds(5)).channelInitializer(initializer)
        switch endpoint {
        case .tcp(let host, let port):
            return try await client.connect(host: host, port: port).get()
        case .unix(let path):
            return try await client.connect(unixDomainSocketPath: path).get()
        case .serial(let device, let baud):
            let descriptor = try SerialLine.open(device, baud: baud)
            return try await NIOPipeBootstrap(group: group).channelInitializer(initializer)
                .takingOwnershipOfDescriptor(inputOutput: descriptor).get()
        }
    }

    package func send(_ packet: [UInt8]) async throws(RadioError) {
        guard let channel = channel.withLock({ $0 }) else {
            throw RadioError(.closed, at: endpoint.description, "the connection is not open")
        }
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: packet))
        } catch {
            throw RadioError(.disconnected, at: endpoint.description, "cannot send: \(Self.reason(error))")
        }
    }

    package func close() async {
        isClosing.raise()
        let channel = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try? await channel?.close()
    }

    /// NIO's errors in words for people.
    fileprivate static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first?.error { return reason(first) }
            return "no address for \(error.host)"
        case let error as IOError:
            return String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout:
            return "no answer within 5 s"
        case is ChannelError:
            return "the connection is closed"
        default:
            return "the connection failed"
        }
    }
}

/// Cuts the stream into packets on its event loop, which is the transport's thread.
private final class H4Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receiver: any PacketReceiver
    private let place: String
    private let isClosing: Flag
    private var framer = H4Framer()
    private var failure: RadioError?
    private var isOver = false

    init(receiver: any PacketReceiver, place: String, isClosing: Flag) {
        self.receiver = receiver
        self.place = place
        self.isClosing = isClosing
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let time = WallClock.now
        let receiver = receiver
        unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
            framer.append(bytes.bytes) { receiver.receive($0, at: time) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = RadioError(.disconnected, at: place, "the connection broke: \(H4Transport.reason(error))")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        guard !isClosing.isRaised else { return receiver.transportDidClose(nil) }
        receiver.transportDidClose(
            failure
                ?? RadioError(
                    .disconnected, at: place, "the controller closed the connection",
                    remedy: "it ended, or refused a packet: look at its own messages"))
    }
}

/// Whether this side wants the end: shared by the transport and its handler, which live on different threads.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() {
        value.store(true, ordering: .releasing)
    }
}
