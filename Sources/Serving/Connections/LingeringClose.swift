import NIOCore
import NIOHTTPTypes

/// Reads for a short time what a client still sends after it was answered early. If the connection were closed with
/// unread data, the kernel would reset it, and the client would lose the answer (RFC 9112, 9.6).
final class LingeringClose: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let grace: TimeAmount
    /// A refused client is answered before anything is read.
    private var requestIsOpen = true
    private var isAnswered = false
    /// Runs while data is read and discarded. Then it closes the connection.
    private var timer: Scheduled<Void>?

    /// - Parameter seconds: the time for the client to send the rest and to read the answer.
    init(seconds: Double) { grace = .nanoseconds(Int64(seconds * 1e9)) }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all, timer != nil {
            context.channel.closeFuture.cascade(to: promise)
        } else if mode == .all, isAnswered, requestIsOpen, context.channel.isActive {
            context.channel.closeFuture.cascade(to: promise)
            linger(context)
            context.close(mode: .output, promise: nil)
        } else {
            context.close(mode: mode, promise: promise)
        }
    }

    /// Data that is not HTTP is answered after this, and ends the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard timer == nil else { return }
        context.fireErrorCaught(error)
        linger(context)
    }

    private func linger(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: grace) { context.close(promise: nil) }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard timer == nil else { return }
        switch unwrapInboundIn(data) {
        case .head: (requestIsOpen, isAnswered) = (true, false)
        case .end: requestIsOpen = false
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // No other handler asks for more data now.
        if timer != nil { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if timer != nil, isAnswered, event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { isAnswered = true }
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
