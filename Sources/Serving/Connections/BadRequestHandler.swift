import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The server answers data that is not HTTP with a bare 400. This adds a body like that of other refusals, and the
/// right status.
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

    /// Why the request of the next error is refused.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let refusal = event as? Refusal else { return context.fireUserInboundEventTriggered(event) }
        failure = refusal
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? Self.refusal(of: error, in: context)
        context.fireErrorCaught(error)
    }

    private static func refusal(of error: any Error, in context: ChannelHandlerContext) -> Refusal {
        switch error as? HTTPParserError {
        case .headerOverflow: return tooLarge
        case .invalidMethod:
            let start = try? context.pipeline.syncOperations.handler(type: RequestStart.self)
            return start?.isRequest == true ? unknownMethod : nonsense
        default: return nonsense
        }
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

    /// RFC 9110, section 15.6.2.
    private static let unknownMethod = Refusal(
        501, "the method of the request is unknown", whatToDo: "use GET, or another method that RFC 9110 has")

    /// RFC 6585, section 5.
    private static let tooLarge = Refusal(
        431, "the head of the request is too large", whatToDo: "send fewer and shorter fields")
}
