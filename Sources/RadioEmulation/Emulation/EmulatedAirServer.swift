import Beacon
import Glibc
import HCI
import NIOCore
import NIOPosix
package import Radio
import Synchronization

/// An emulated air that other programs reach over H4. Each connection gets a new controller. For use on this machine
/// only, because there is no access control.
package final class EmulatedAirServer: Sendable {
    private let air: EmulatedAir
    private let profile: ControllerProfile
    private let channel = Mutex<(any Channel)?>(nil)

    /// - Parameter profile: the abilities of the controllers.
    package init(_ air: EmulatedAir, profile: ControllerProfile = .bluetooth5) {
        self.air = air
        self.profile = profile
    }

    /// Accepts connections from now on. Throws `cannotOpen` where the address is not available.
    package func listen(at endpoint: H4Endpoint) async throws(RadioError) {
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
                // A socket left by a program that has ended may be replaced.
                let other = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(unixDomainSocketPath: path).get()
                if let other {
                    try? await other.close()
                    throw RadioError(
                        .cannotOpen, at: "\(endpoint)", "another program listens there",
                        remedy: "end it, or choose another place")
                }
                bound = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            case .serial:
                throw RadioError(
                    .badSource, at: "\(endpoint)", "nobody can connect to a serial line",
                    remedy: "use h4:unix:PATH or h4:tcp:127.0.0.1:PORT")
            }
        } catch let error as RadioError {
            throw error
        } catch {
            let reason = switch error {
                case let error as IOError: String(cString: strerror(error.errnoCode))
                case is UnixDomainSocketPathWrongType: "there is something that is no socket"
                default: "the address is not understood"
                }
            throw RadioError(
                .cannotOpen, at: "\(endpoint)", "cannot listen there: \(reason)", remedy: "choose another place")
        }
        channel.withLock { $0 = bound }
    }

    /// Whether a process listens at a Unix socket. If not, a program that has ended left it, and it may be replaced.
    private static func isTaken(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let octets = Array(path.utf8)
        guard octets.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Stops accepting connections. Existing connections last until the air ends.
    package func close() async {
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
        // A host without connections sends only commands. The length of any other packet is unknown.
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
