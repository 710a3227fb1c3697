import NIOCore
import NIOHTTP1

/// Refuses a request without a host, and one with several (RFC 9112, section 3.2), because programs along the way
/// might use different ones. Later handlers do not see the version and the second field any more.
final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isOver = false

    /// Adds it after the HTTP decoder, on the connection's event loop.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        let position = ChannelPipeline.SynchronousOperations.Position.after(decoder)
        try pipeline.addHandler(HostCheck(), position: position)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        if case .head(let head) = unwrapInboundIn(data), let refusal = Self.refusal(of: head) {
            isOver = true
            // `BadRequestHandler` reports what is wrong. As after any error of the parser, the connection ends.
            context.fireUserInboundEventTriggered(refusal)
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            return
        }
        context.fireChannelRead(data)
    }

    private static func refusal(of head: HTTPRequestHead) -> Refusal? {
        switch head.headers["Host"].count {
        case 1: nil
        case 0 where (head.version.major, head.version.minor) < (1, 1): nil
        case 0: Refusal(400, "the request has no host", whatToDo: "send the field Host")
        default: Refusal(400, "the request has two hosts", whatToDo: "send one field Host")
        }
    }
}
