internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
package import SiteFormat

/// Sends documents to a site, with the same TLS settings, keys and proxies that fetch its content. Redirects are not
/// followed, because the documents are for this site alone.
package struct SitePost: Sendable {
    private let settings: ContentSettings
    private let token: String?
    private let clients: HTTPClients

    /// - Parameter token: a bearer token; nil for none. The token for content is never sent.
    /// - Throws: `ContentError` with code `.settings` if a certificate file or a pinned key cannot be used.
    package init(_ settings: ContentSettings, token: String?) throws(ContentError) {
        self.settings = settings
        self.token = token
        clients = try HTTPClients(settings)
    }

    /// Posts a JSON document.
    ///
    /// - Parameter path: the path in the site's list.
    /// - Throws: `ContentError`: `.connection` if the document may not have arrived, `.timeout` if that is unknown,
    ///   `.unavailable` if the server asks for another attempt, `.format` if it will never accept this document, and
    ///   `.refused` if the site or the token has to be changed first.
    package func post(_ json: String, to path: ManifestPath) async throws(ContentError) {
        let url = settings.base.url(of: path)
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "beacond")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        request.body = .bytes(ByteBuffer(string: json))
        let response: HTTPClientResponse
        let end = ContinuousClock.now + settings.documentTimeout
        do {
            response = try await clients.client(for: url).execute(
                request, timeout: .seconds(settings.documentTimeout.components.seconds))
            // A short answer is read, so that the connection can be used again. The client's own time-out covers the
            // head, and what follows while nobody has taken the head yet.
            var count = 0
            do {
                for try await buffer in response.body {
                    count += buffer.readableBytes
                    if count > 65536 || ContinuousClock.now > end { break }
                }
            } catch where !(error is CancellationError) {
                // The status has come, and says whether the document has arrived.
            }
        } catch is CancellationError {
            throw ContentError(code: .cancelled, place: url, cause: "it was given up", remedy: "it is sent again later")
        } catch {
            throw ContentError(transport: error, url: url, settings: settings)
        }
        guard (200..<300).contains(response.status.code) else { throw refusal(response, url) }
    }

    package func shutdown() async {
        try? await clients.shutdown()
    }

    private func refusal(_ response: HTTPClientResponse, _ url: String) -> ContentError {
        let cause = "the server answers \(response.status.code) \(response.status.reasonPhrase)"
        switch response.status.code {
        case 408, 425, 429, 500...599:
            // A date would need a clock. The servers of sites send seconds.
            let seconds = response.headers.first(name: "retry-after").flatMap { Int($0) }
            return ContentError(
                code: .unavailable, place: url, cause: cause, remedy: "it is tried again; see the server's log",
                retryAfter: seconds.map { min(.seconds(max(0, $0)), settings.maximumRetryAfter) })
        case 401, 403:
            return ContentError(
                code: .refused, place: url, cause: cause,
                remedy: token == nil ? "set reports.token_file" : "check the token in reports.token_file")
        case 400, 413, 422:
            return ContentError(code: .format, place: url, cause: cause, remedy: "see the server's log")
        default:
            return ContentError(code: .refused, place: url, cause: cause, remedy: "see the server's log")
        }
    }
}
