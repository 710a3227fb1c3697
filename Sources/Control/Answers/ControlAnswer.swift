import Hummingbird
import NIOCore

/// What is answered to a request.
public struct ControlAnswer: Sendable {
    public enum Body: Sendable {
        case text(String)
        case octets([UInt8])
        /// A file; parts of it can be asked for (RFC 9110, section 14).
        case file(path: String)
        /// Whatever comes piece by piece.
        case stream(@Sendable (_ output: inout PieceWriter) async throws -> Void)
    }

    /// RFC 9110, section 15.
    public var status: Int
    public var mediaType: String
    /// Further fields by name.
    public var fields: [String: String]
    public var body: Body

    public init(status: Int = 200, mediaType: String, fields: [String: String] = [:], body: Body) {
        self.status = status
        self.mediaType = mediaType
        self.fields = fields
        self.body = body
    }

    /// JSON that is true now, and nowhere kept.
    public static func json(_ text: String, status: Int = 200) -> ControlAnswer {
        let end = text.hasSuffix("\n") ? "" : "\n"
        return ControlAnswer(
            status: status, mediaType: "application/json", fields: ["Cache-Control": "no-store"],
            body: .text(text + end))
    }
}

/// The way to a client.
public struct PieceWriter {
    var writer: any ResponseBodyWriter

    /// Suspends while the client is slower. Throws when it is gone.
    public mutating func write(_ text: String) async throws {
        try await writer.write(ByteBuffer(string: text))
    }

    /// The same of octets; nothing where there are none.
    public mutating func write(_ octets: [UInt8]) async throws {
        guard !octets.isEmpty else { return }
        try await writer.write(ByteBuffer(bytes: octets))
    }
}
