import NIOCore
import NIOHTTPTypes

/// Reports the state of a connection to its `Client`.
final class ClientWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A client that has closed its sending side may still wait for the answer. Work that takes longer than this is
    /// cancelled.
    private static let grace = TimeAmount.seconds(2)

    private let clients: Clients
    private var client: Client?
    private var timer: Scheduled<Void>?

    init(_ clients: Clients) {
        self.clients = clients
    }

    func handlerAdded(context: ChannelHandlerContext) {
        client = clients[context.channel]
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent, timer == nil {
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.grace) { self.leave() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(let buffer) = unwrapOutboundIn(data), let client else {
            context.write(data, promise: promise)
            return
        }
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.whenComplete { [count = buffer.readableBytes] _ in client.taken(count) }
        context.write(data, promise: promise)
    }

    private func leave() {
        timer?.cancel()
        timer = nil
        client?.leave()
        client = nil
    }
}
