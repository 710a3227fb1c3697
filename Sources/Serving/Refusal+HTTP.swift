import HTTPTypes
package import HummingbirdCore
import NIOCore

extension Refusal {
    /// The refusal as a response with JSON.
    ///
    /// - Parameter realm: for 401, what the token is for.
    package func response(realm: String) -> Response {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if !allow.isEmpty { headers[.allow] = allow.joined(separator: ", ") }
        if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        if status == 401 { headers[.wwwAuthenticate] = "Bearer realm=\"\(realm)\"" }
        return Response(
            status: .init(code: status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: json + "\n")))
    }
}
