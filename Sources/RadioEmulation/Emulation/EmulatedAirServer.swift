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

    /// Accepts connections from now on.
    ///
    /// - Throws: `cannotOpen` if the address is not available.
    package func listen(at endpoint: H4Endpoint) async throws(RadioError) {
        let bound: any Channel
        do {
            bound = try await bind(to: endpoint)
        } catch let error as RadioError {
            throw error
        } catch {
            throw RadioError(
                .cannotOpen, at: "\(endpoint)", "cannot listen there: \(Self.reason(error))",
                remedy: "choose another place")
        }
        channel.withLock { $0 = bound }
    }

    private func bind(to endpoint: H4Endpoint) async throws -> any Channel {
        let (air, profile) = (air, profile)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: HostReceiver.unread)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        HostHandler(EmulatedTransport(air, profile: profile)))
                }
            }
        switch endpoint {
        case .tcp(let host, let port):
            return try await bootstrap.bind(host: host, port: Int(port)).get()
        case .unix(let path):
            try await Self.requireFree(path, for: endpoint)
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        case .serial:
            throw RadioError(
                .badSource, at: "\(endpoint)", "nobody can connect to a serial line",
                remedy: "use h4:unix:PATH or h4:tcp:127.0.0.1:PORT")
        }
    }

    /// - Throws: if a program listens at a Unix socket. A socket that an ended program has left may be replaced.
    private static func requireFree(_ path: String, for endpoint: H4Endpoint) async throws {
        let other = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path).get()
        guard let other else { return }
        try? await other.close()
        throw RadioError(
            .cannotOpen, at: "\(endpoint)", "another program listens there", remedy: "end it, or choose another place")
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is UnixDomainSocketPathWrongType: "there is something that is no socket"
        case SocketAddressError.unixDomainSocketPathTooLong: "the path is too long for a socket"
        default: "the address is not understood"
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

    /// The maximum number of commands that wait for the controller. It gives credit for one at a time, so only a host
    /// that does not speak HCI sends more (Core Specification Vol 4, Part E, 4.4).
    private static let mostCommands = 256

    private let transport: EmulatedTransport
    private let packets: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation
    private var buffer: [UInt8] = []

    init(_ transport: EmulatedTransport) {
        self.transport = transport
        (packets, continuation) = AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.mostCommands))
    }

    func channelActive(context: ChannelHandlerContext) {
        let (transport, channel, packets) = (transport, context.channel, packets)
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
            let result = continuation.yield(Array(buffer[start..<start + length]))
            if case .dropped = result { return context.close(promise: nil) }
            start += length
        }
        buffer.removeFirst(start)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
}

private struct HostReceiver: PacketReceiver {
    /// The octets that may wait for a host that does not read: the reports of several minutes. Above this limit the
    /// host loses reports, until it has read most of the waiting ones.
    static let unread = ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 20, high: 4 << 20)

    let channel: any Channel

    func receive(_ packet: RawSpan, at time: Timestamp) {
        // Answers are never dropped. They are few: one for each command.
        guard channel.isWritable || CommandAnswer.isAnswer(packet: packet) else { return }
        let bytes = packet.withUnsafeBytes { ByteBuffer(bytes: $0) }
        channel.writeAndFlush(bytes, promise: nil)
    }

    func transportDidClose(_ error: RadioError?) { channel.close(promise: nil) }
}
