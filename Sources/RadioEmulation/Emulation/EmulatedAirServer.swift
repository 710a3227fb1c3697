import Beacon
import Glibc
import HCI
import NIOCore
import NIOPosix
public import Radio
import Synchronization

/// An emulated air that others reach over H4: everybody who connects gets a fresh controller on it, as with a rack of
/// adapters. Meant for this machine alone; there is no right to be had or withheld.
public final class EmulatedAirServer: Sendable {
    private let air: EmulatedAir
    private let profile: ControllerProfile
    private let channel = Mutex<(any Channel)?>(nil)

    /// - Parameter profile: what the controllers are able to do.
    public init(_ air: EmulatedAir, profile: ControllerProfile = .bluetooth5) {
        self.air = air
        self.profile = profile
    }

    /// Takes connections from now on. Throws `cannotOpen` where that address is not to be had.
    public func listen(at endpoint: H4Endpoint) async throws(RadioError) {
        let (air, profile) = (air, profile)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        HostHandler(EmulatedTransport(air, profile: profile), channel))
                }
            }
        let bound: any Channel
        do {
            switch endpoint {
            case .tcp(let host, let port): bound = try await bootstrap.bind(host: host, port: port).get()
            case .unix(let path):
                bound = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            case .serial:
                throw RadioError(
                    .badSource, at: "\(endpoint)", "nobody can connect to a serial line",
                    remedy: "use h4:unix:PATH or h4:tcp:127.0.0.1:PORT")
            }
        } catch let error as RadioError {
            throw error
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw RadioError(
                .cannotOpen, at: "\(endpoint)", "cannot listen there: \(reason)", remedy: "choose another place")
        }
        channel.withLock { $0 = bound }
    }

    /// Ends it for those who come; who is connected stays so until the air ends.
    public func close() async {
        let channel = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try? await channel?.close()
    }
}

/// One connection: commands in, events out.
private final class HostHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let transport: EmulatedTransport
    private let channel: any Channel
    private let packets: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation
    private var buffer: [UInt8] = []

    init(_ transport: EmulatedTransport, _ channel: any Channel) {
        self.transport = transport
        self.channel = channel
        (packets, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    }

    func channelActive(context: ChannelHandlerContext) {
        let (transport, channel, packets) = (transport, channel, packets)
        Task {
            do throws(RadioError) {
                try await transport.open(delivering: HostReceiver(channel: channel))
                for await packet in packets { try await transport.send(packet) }
            } catch {
                channel.close(promise: nil)
            }
            await transport.close()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer += Array(unwrapInboundIn(data).readableBytesView)
        var start = 0
        // A host that has no connections sends commands only; anything else cannot be followed.
        while buffer.count - start >= 4 {
            guard buffer[start] == PacketType.command.rawValue else { return context.close(promise: nil) }
            let length = 4 + Int(buffer[start + 3])
            guard buffer.count - start >= length else { break }
            continuation.yield(Array(buffer[start..<start + length]))
            start += length
        }
        buffer.removeFirst(start)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
}

private struct HostReceiver: PacketReceiver {
    let channel: any Channel

    func receive(_ packet: RawSpan, at time: Timestamp) {
        let bytes = packet.withUnsafeBytes { ByteBuffer(bytes: $0) }
        channel.writeAndFlush(bytes, promise: nil)
    }

    func transportDidClose(_ error: RadioError?) { channel.close(promise: nil) }
}
