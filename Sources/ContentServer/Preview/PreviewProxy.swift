import AsyncHTTPClient
import HTTPTypes
import Hummingbird
package import HummingbirdCore
import NIOCore
import NIOHTTP1
import Serving

/// Passes requests of the visitors' page on to the daemon of a preview.
package struct PreviewProxy: Sendable {
    /// Header fields that go there, and that come back. Cookies and tokens stay here.
    private static let asked = ["accept", "if-none-match", "range", "if-range", "last-event-id"]
    private static let answered = [
        "content-type", "content-length", "content-range", "accept-ranges", "cache-control", "etag",
        "vary", "content-security-policy", "last-modified", "x-content-type-options",
        // Without it, nginx before this server keeps events back.
        "x-accel-buffering",
    ]

    /// Asks the daemon, and passes on what it answers.
    ///
    /// - Parameters:
    ///   - path: with the query, as the daemon knows it.
    ///   - seconds: until the answer has to begin. It may go on for longer: an event stream lasts as long as the page
    ///     is open.
    ///   - touch: called every few seconds while a long answer is being sent; throws to end it.
    package static func answer(
        _ request: Request, path: String, socket: String, within seconds: Int64 = 30,
        touch: @escaping @Sendable () async throws -> Void
    ) async throws -> Response {
        var call = HTTPClientRequest(url: "http+unix://\(encoded(socket))\(path)")
        call.headers.add(name: "Host", value: "localhost")
        // The client would decompress what is compressed.
        call.headers.add(name: "Accept-Encoding", value: "identity")
        for name in asked {
            if let field = HTTPField.Name(name), let value = request.headers[field] {
                call.headers.add(name: name, value: value)
            }
        }
        let answer: HTTPClientResponse
        do {
            // This limit is for the head alone.
            answer = try await HTTPClient.shared.execute(call, timeout: .seconds(seconds))
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            throw Refusal(
                504, "the preview does not answer within \(seconds) seconds",
                whatToDo: "end it on the page Preview, and start it again")
        } catch {
            throw Refusal(502, "the preview does not answer", whatToDo: "start it again on the page Preview")
        }
        var response = Response(status: .init(code: Int(answer.status.code)))
        for name in answered {
            if let field = HTTPField.Name(name), let value = answer.headers.first(name: name) {
                response.headers[field] = value
            }
        }
        let body = answer.body
        // Each part is sent at once, so that events arrive when they happen.
        response.body = ResponseBody(
            contentLength: answer.headers.first(name: "content-length").flatMap { Int($0) }
        ) { writer in
            var touched = ContinuousClock.now
            for try await buffer in body {
                try await writer.write(buffer)
                if touched.duration(to: .now) > .seconds(5) {
                    touched = .now
                    try await touch()
                }
            }
            try await writer.finish(nil)
        }
        return response
    }

    /// Percent-encoding for the host of a URL, in which a slash must not stand.
    private static func encoded(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, octet in
            let isPlain = (48...57).contains(octet) || (65...90).contains(octet) || (97...122).contains(octet)
            let digits = String(octet, radix: 16, uppercase: true)
            text += isPlain ? String(UnicodeScalar(octet)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }
}
