import NIOCore
import NIOHTTP1

/// Checks what later handlers do not see of a request's head: its version, a second host, and the host of the target.
///
/// A request without a host, and one with several, is refused (RFC 9112, section 3.2), because programs along the way
/// might use different ones.
final class HeadCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isOver = false

    /// Adds it after the HTTP decoder, on the connection's event loop.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        let position = ChannelPipeline.SynchronousOperations.Position.after(decoder)
        try pipeline.addHandler(HeadCheck(), position: position)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        do throws(Refusal) {
            context.fireChannelRead(wrapInboundOut(.head(try Self.checked(head))))
        } catch {
            isOver = true
            // `BadRequestHandler` reports what is wrong. As after any error of the parser, the connection ends.
            context.fireUserInboundEventTriggered(error)
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
    }

    /// The head as later handlers see it.
    private static func checked(_ head: HTTPRequestHead) throws(Refusal) -> HTTPRequestHead {
        var head = head
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        switch head.headers["Host"].count {
        case 1: break
        case 0 where isOld: break
        case 0: throw Refusal(400, "the request has no host", whatToDo: "send the field Host")
        default: throw Refusal(400, "the request has two hosts", whatToDo: "send one field Host")
        }
        if let host = try host(ofTarget: head.uri) { head.headers.replaceOrAdd(name: "Host", value: host) }
        // A client of HTTP/1.0 would take 100 for the answer (RFC 9110, section 10.1.1).
        if isOld { head.headers.remove(name: "Expect") }
        return head
    }

    /// The host and port of a target in absolute form, which counts instead of the field (RFC 9112, section 3.2.2); nil
    /// for another form.
    private static func host(ofTarget target: String) throws(Refusal) -> String? {
        let target = target.utf8
        guard target.first != UInt8(ascii: "/"), let colon = target.firstIndex(of: UInt8(ascii: ":")),
            target[colon...].starts(with: "://".utf8)
        else { return nil }
        let authority = target[colon...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        // A user's name can be made to look like a host (RFC 9110, section 4.2.4).
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else {
            throw Refusal(
                400, "the address has no host, or a user's name", whatToDo: "send the path, and the field Host")
        }
        return String(Substring(authority))
    }
}
