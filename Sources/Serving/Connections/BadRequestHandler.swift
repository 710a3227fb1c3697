import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Adds a body like that of other refusals to the server's bare 400 for something that is not HTTP.
final class BadRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let realm: String
    private var failure: Refusal?

    init(realm: String) {
        self.realm = realm
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = error as? HTTPParserError == .headerOverflow ? Self.tooLarge : Self.nonsense
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let failure, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentLength] == "0"
        else {
            context.write(data, promise: promise)
            return
        }
        let body = ByteBuffer(string: failure.json + "\n")
        let response = failure.response(realm: realm)
        head.status = response.status
        head.headerFields = response.headers
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
    }

    private static let nonsense = Refusal(
        400, "what was sent is no HTTP request", whatToDo: "send one as RFC 9112 has it")

    /// RFC 6585, section 5.
    private static let tooLarge = Refusal(
        431, "the head of the request is too large", whatToDo: "send fewer and shorter fields")
}
