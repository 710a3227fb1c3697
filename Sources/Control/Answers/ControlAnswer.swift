import Hummingbird
import NIOCore
import Serving

package struct ControlAnswer: Sendable {
    package enum Body: Sendable {
        case text(String)
        case octets([UInt8])
        /// An answer that other clients get as well.
        case shared(SharedBody)
        /// A file; clients can request parts of it (RFC 9110, section 14).
        case file(path: String)
        /// A body that is sent piece by piece.
        case stream(@Sendable (_ output: inout PieceWriter) async throws -> Void)
    }

    /// RFC 9110, section 15.
    package var status: Int
    package var mediaType: String
    /// Additional header fields by name.
    package var fields: [String: String]
    package var body: Body

    package init(status: Int = 200, mediaType: String, fields: [String: String] = [:], body: Body) {
        self.status = status
        self.mediaType = mediaType
        self.fields = fields
        self.body = body
    }

    /// JSON that is true now and must not be cached.
    package static func json(_ text: String, status: Int = 200) -> ControlAnswer {
        let end = text.hasSuffix("\n") ? "" : "\n"
        return ControlAnswer(
            status: status, mediaType: "application/json", fields: ["Cache-Control": "no-store"],
            body: .text(text + end))
    }
}

extension ControlAnswer {
    /// JSON that other clients get as well. Its ETag lets a client fetch it again only if it has changed.
    package static func json(_ body: SharedBody) -> ControlAnswer {
        shared(body, mediaType: "application/json")
    }

    /// The same for any media type.
    package static func shared(_ body: SharedBody, mediaType: String, fields: [String: String] = [:]) -> ControlAnswer {
        let fields = ["Cache-Control": "no-cache", "ETag": body.tag].merging(fields) { $1 }
        return ControlAnswer(mediaType: mediaType, fields: fields, body: .shared(body))
    }
}

/// Writes a response body to a client.
package struct PieceWriter {
    var writer: any ResponseBodyWriter
    let client: Client

    /// Suspends while the client is slower.
    ///
    /// - Throws: if the client has left.
    package mutating func write(_ text: String) async throws {
        try await write([ByteBuffer(string: text)])
    }

    /// The same for bytes; writes nothing if there are none.
    package mutating func write(_ octets: [UInt8]) async throws {
        guard !octets.isEmpty else { return }
        try await write([ByteBuffer(bytes: octets)])
    }

    mutating func write(_ buffers: [ByteBuffer]) async throws {
        for buffer in buffers { try await client.write(buffer, to: &writer) }
    }

    /// Calls `body` when the client has left, on any thread; at once if it has already left. Only one closure at a
    /// time.
    package func whenGone(_ body: @escaping @Sendable () -> Void) {
        client.whenGone(body)
    }
}
