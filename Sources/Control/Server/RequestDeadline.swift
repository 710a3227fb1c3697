import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request is not complete in time, even if parts of it keep arriving.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    init(seconds: Double) {
        limit = .nanoseconds(Int64(max(0.001, min(seconds, 1e6)) * 1e9))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            timer?.cancel()
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
        case .end:
            timer?.cancel()
            timer = nil
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
