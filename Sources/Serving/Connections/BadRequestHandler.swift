import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Adds a body like that of other refusals to the server's bare 400 for something that is not HTTP.
final class BadRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let realm: String
    private var isBad = false

    init(realm: String) {
        self.realm = realm
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isBad = true
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isBad, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
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
}
