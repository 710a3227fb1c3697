import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request is not complete in time, even if parts of it keep arriving. If the server accepts
/// large bodies, each byte of a body extends the time a little.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limit: TimeAmount
    /// Nanoseconds by which a byte of the body extends the time.
    private let timeOfByte: Double
    private var deadline = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?

    /// - Parameter leastRate: bytes per second.
    init(seconds: Double, leastRate: Double? = nil) {
        timeOfByte = leastRate.map { 1e9 / $0 } ?? 0
        limit = .nanoseconds(Int64(max(0.001, min(seconds, 1e6)) * 1e9))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            timer?.cancel()
            deadline = context.eventLoop.now + limit
            watch(context)
        case .end:
            timer?.cancel()
            timer = nil
        case .body(let buffer):
            deadline = deadline + .nanoseconds(Int64(Double(buffer.readableBytes) * timeOfByte))
        }
        context.fireChannelRead(data)
    }

    /// One timer for all parts: it checks whether the time has been extended.
    private func watch(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            if context.eventLoop.now >= self.deadline {
                context.close(promise: nil)
            } else {
                self.watch(context)
            }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
