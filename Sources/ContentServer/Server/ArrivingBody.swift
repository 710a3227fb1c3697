import HummingbirdCore
import NIOCore
import Serving

/// The body of a request. Whatever ends it early is refused, and no error of the server: the client has left, the
/// connection has failed, or what was sent is no HTTP.
struct ArrivingBody: AsyncSequence, Sendable {
    let body: RequestBody

    struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: RequestBody.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await iterator.next()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw Refusal(400, "the body of the request is not complete", whatToDo: "send it again")
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: body.makeAsyncIterator()) }
}
