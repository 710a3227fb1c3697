import NIOCore
import NIOHTTPTypes

/// Disconnects a client that accepts no data, so that it costs no more than its buffers.
final class WriteDeadline: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: TimeAmount
    private var pending = 0
    private var lastTaken: NIODeadline = .distantPast
    private var timer: Scheduled<Void>?

    init(seconds: Double) {
        limit = .nanoseconds(Int64(max(0.001, min(seconds, 1e6)) * 1e9))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        if pending == 0 { lastTaken = context.eventLoop.now }
        pending += 1
        promise.futureResult.assumeIsolated().whenComplete { _ in self.taken(context.eventLoop.now) }
        watch(context)
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    private func taken(_ now: NIODeadline) {
        pending -= 1
        lastTaken = now
    }

    /// One timer for all writes: it fires when the oldest one may be late.
    private func watch(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastTaken + limit) {
            self.timer = nil
            guard self.pending > 0 else { return }
            if context.eventLoop.now >= self.lastTaken + self.limit {
                context.close(promise: nil)
            } else {
                self.watch(context)
            }
        }
    }
}
