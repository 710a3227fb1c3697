import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Closes a connection soon after something that is not HTTP was received on it: its sender may otherwise wait for
/// ever. The server's answer is a bare 400; this handler adds a body like that of other refusals.
final class BadRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time to read the answer.
    private static let grace = TimeAmount.seconds(2)
    private let realm: String
    private var timer: Scheduled<Void>?

    init(realm: String) {
        self.realm = realm
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard timer == nil else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.grace) { context.close(promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard timer != nil, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentLength] == "0"
        else {
            context.write(data, promise: promise)
            return
        }
        let body = ByteBuffer(string: Self.failure.json + "\n")
        head.headerFields = Self.failure.response(realm: realm).headers
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
    }

    private static let failure = Refusal(
        400, "what was sent is no HTTP request", whatToDo: "send one as RFC 9112 has it")

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
