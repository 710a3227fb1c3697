import Hummingbird
import NIOCore

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
}
