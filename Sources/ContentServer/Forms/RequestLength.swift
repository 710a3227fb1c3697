import Hummingbird
import NIOCore
import Serving

extension Request {
    /// What `Content-Length` says; 0 where it is missing, and too much where it is no number that fits.
    var declaredLength: Int64 { headers[.contentLength].map { Int64($0) ?? .max } ?? 0 }

    /// Reads the whole body. One that says that it is too large is refused before it arrives.
    ///
    /// - Throws: `NIOTooManyBytesError`.
    mutating func collected(upTo limit: Int) async throws -> ByteBuffer {
        guard declaredLength <= Int64(limit) else { throw NIOTooManyBytesError(maxBytes: limit) }
        return try await collectBody(upTo: limit)
    }

    /// Passes the body on as it arrives. One that says that it is too large is refused before it arrives.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - tooLarge: is thrown for a body that is larger.
    func readBody(
        upTo limit: Int64, orThrow tooLarge: Refusal, _ use: (ByteBuffer) async throws -> Void
    ) async throws {
        guard declaredLength <= limit else { throw tooLarge }
        var total: Int64 = 0
        for try await buffer in body {
            total += Int64(buffer.readableBytes)
            guard total <= limit else { throw tooLarge }
            try await use(buffer)
        }
    }
}
