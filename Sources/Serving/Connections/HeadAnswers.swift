import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends answers to HEAD without a last chunk. The encoder takes an answer without a length for a body in chunks. A
/// client would read the last one as the start of the next answer (RFC 9112, section 6.3).
///
/// It is the last handler before the encoder, so that all others see the end.
final class HeadAnswers: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Of each request that is not answered yet, whether it is HEAD. There are several where a client does not wait for
    /// answers: at most as many as fit into one read.
    private var waiting = CircularBuffer<Bool>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { waiting.append(head.method == .head) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), waiting.popFirst() == true else {
            context.write(data, promise: promise)
            return
        }
        // Nothing is written for an empty part, but the promise is kept in its order.
        context.write(wrapOutboundOut(.body(ByteBuffer())), promise: promise)
    }
}
