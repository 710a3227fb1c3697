import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Platform
import Serving

/// Bodies of the API.
enum JSONBody {
    /// Where they are read: a megabyte takes tens of milliseconds.
    static let reading = BlockingQueue("beacond.content-server.bodies")

    /// - Throws: `Refusal`: 415 for another media type, 413 if it is too large.
    static func octets(_ request: inout Request, upTo limit: Int) async throws -> [UInt8] {
        let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/json" else {
            throw Refusal(415, "the body is not JSON", whatToDo: "send it with Content-Type: application/json")
        }
        do {
            return Array(buffer: try await request.collected(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Refusal(413, "the body has more than \(limit) bytes", whatToDo: "send less")
        }
    }
}
