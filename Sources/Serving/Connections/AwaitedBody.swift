import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The body of a request whose client waits for 100 (Continue) before it sends the body (RFC 9110, section 10.1.1).
/// That is sent when the body is first read, so that a refusal comes before an upload.
final class AwaitedBody: AsyncSequence, Sendable {
    private let body: RequestBody
    private let channel: any Channel
    private let wasRead = Atomic(false)

    /// Nil if the client does not wait. Other expectations are ignored.
    init?(of request: Request, on channel: any Channel) {
        let headers = request.headers
        guard headers[.expect]?.lowercased() == "100-continue",
            headers[.transferEncoding] != nil || headers[.contentLength] ?? "0" != "0"
        else { return nil }
        body = request.body
        self.channel = channel
    }

    /// Whether the client has been asked for the body.
    var isWanted: Bool { wasRead.load(ordering: .relaxed) }

    private func ask() async throws {
        guard !wasRead.exchange(true, ordering: .relaxed) else { return }
        try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(awaited: self, iterator: body.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let awaited: AwaitedBody
        fileprivate var iterator: RequestBody.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            try await awaited.ask()
            return try await iterator.next()
        }
    }
}
