import NIOCore

/// Keeps the beginning of the last read. The HTTP decoder does not say which method was unknown, and reports data that
/// is not HTTP at all in the same way.
final class RequestStart: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let most = 64

    private var bytes: [UInt8] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView.prefix(Self.most))
        context.fireChannelRead(data)
    }

    /// Whether it looks like a request: a method, a space and a path.
    var isRequest: Bool {
        let method = bytes.prefix { Self.isTokenCharacter($0) }
        let rest = bytes.dropFirst(method.count)
        return !method.isEmpty && rest.starts(with: [UInt8(ascii: " "), UInt8(ascii: "/")])
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
