import NIOCore

/// Ends a connection soon after what came over it was no HTTP: whoever sent that may wait for ever.
final class MistakeCloser: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    /// For the answer to be read.
    private static let grace = TimeAmount.seconds(2)
    private var timer: Scheduled<Void>?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard timer == nil else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.grace) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
