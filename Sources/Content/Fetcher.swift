internal import AsyncHTTPClient
internal import Beacon
internal import Logging
internal import NIOCore
internal import NIOHTTP1
import SiteFormat

/// Sends requests to a site, with time-outs, a few attempts each, redirects within the host, and bounded bodies.
struct Fetcher: Sendable {
    let clients: HTTPClients
    let settings: ContentSettings
    let time: ContentTime
    let random: @Sendable () -> Double
    let logger: Logger
    let deadlines: Deadlines

    /// Longer pauses are not waited for inside a request. The error is reported to the caller, which tries again later.
    static let longestQuietPause = Duration.seconds(5)
    private static let maximumRedirects = 5

    /// The server's answer about a document.
    enum Answer: Sendable {
        case document([UInt8], Validators)
        /// 304: the document that the validators belong to is current.
        case unchanged
        /// 404 or 410.
        case absent
    }

    /// Requests a document, on condition that it is not the one that `validators` belong to.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are accepted.
    ///   - fresh: makes caches on the way ask the origin server (RFC 9111, 5.2.1.4).
    func document(
        _ url: String, validators: Validators?, limit: Int, fresh: Bool
    ) async throws(ContentError) -> Answer {
        var headers = HTTPHeaders()
        // RFC 9110, 13.1.3: If-Modified-Since is ignored beside If-None-Match.
        if let etag = validators?.etag {
            headers.add(name: "If-None-Match", value: etag)
        } else if let lastModified = validators?.lastModified {
            headers.add(name: "If-Modified-Since", value: lastModified)
        }
        if fresh { headers.add(name: "Cache-Control", value: "no-cache") }
        headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        let conditional = validators?.isEmpty == false
        return try await repeating { () throws(ContentError) in
            try await limited(settings.documentTimeout, url) { [headers] in
                let response = try await send(url, headers, mayBeCompressed: true)
                switch response.status {
                case .ok:
                    return .document(
                        try await collect(response, limit: limit, url: url), Validators(response.headers))
                case .notModified where conditional: return .unchanged
                case .notFound, .gone:
                    await drain(response)
                    return .absent
                default: throw refusal(response, url)
                }
            }
        }
    }
}

extension Fetcher {
    /// Requests the signature of a site list; nil if there is none.
    func signature(of list: AssetHash, fresh: Bool) async throws(ContentError) -> [UInt8]? {
        let url = settings.base.url("/v1/signatures/\(list)")
        guard case .document(let bytes, _) = try await document(url, validators: nil, limit: 4096, fresh: fresh) else {
            return nil
        }
        return bytes
    }
}

// MARK: - One request

extension Fetcher {
    /// Sends a GET request and follows redirects, as far as they are allowed.
    func send(
        _ url: String, _ headers: HTTPHeaders, mayBeCompressed: Bool = false
    ) async throws -> HTTPClientResponse {
        var url = url
        var mayAuthorize = true
        for _ in 0...Self.maximumRedirects {
            var request = HTTPClientRequest(url: url)
            request.headers = headers
            request.headers.add(name: "User-Agent", value: "beacond")
            if mayAuthorize, let token = settings.token {
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
            }
            // The caller limits the total time. This deadline only must not be shorter.
            let response = try await clients.client(for: url).execute(request, deadline: .distantFuture)
            logger.debug("request", metadata: ["url": "\(url)", "status": "\(response.status.code)"])
            switch response.status {
            case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect:
                let target = try settings.redirect(from: url, location: response.headers.first(name: "location"))
                await drain(response)
                url = target.url
                mayAuthorize = target.mayAuthorize
            default:
                let coding = response.headers.first(name: "content-encoding")?.lowercased()
                let isSuccess = response.status == .ok || response.status == .partialContent
                guard coding == nil || coding == "identity" || !isSuccess
                    || mayBeCompressed && ["gzip", "deflate", "x-gzip"].contains(coding)
                else {
                    throw ContentError(
                        code: .refused, place: url, cause: "it is sent compressed in a way that was not asked for",
                        remedy: "let the server heed Accept-Encoding, or switch its compression off")
                }
                return response
            }
        }
        throw ContentError(
            code: .redirect, place: url, cause: "more than \(Self.maximumRedirects) redirects follow each other",
            remedy: "configure the base URL that the content really has")
    }

    private func collect(_ response: HTTPClientResponse, limit: Int, url: String) async throws -> [UInt8] {
        let tooLarge = ContentError(
            code: .tooLarge, place: url, cause: "it has more than the \(limit) bytes that are allowed",
            remedy: "make it smaller")
        if let promised = response.contentLength, promised > Int64(limit) { throw tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in response.body {
            guard bytes.count + buffer.readableBytes <= limit else { throw tooLarge }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    /// Reads the rest of a small body, so that the connection can be used again. A large one is cut off instead.
    func drain(_ response: HTTPClientResponse) async {
        var count = 0
        do {
            for try await buffer in response.body {
                count += buffer.readableBytes
                if count > 65536 { return }
            }
        } catch {
            // The unread rest does not matter: the next request uses another connection.
        }
    }

    func refusal(_ response: HTTPClientResponse, _ url: String) -> ContentError {
        let status = response.status
        let cause = "the server answers \(status.code) \(status.reasonPhrase)"
        switch status.code {
        case 408, 425, 429, 500...599:
            let retryAfter = response.headers.first(name: "retry-after").flatMap {
                RetryAfter.duration($0, now: time.now().seconds)
            }
            return ContentError(
                code: .unavailable, place: url, cause: cause,
                remedy: "see the server's log, or wait: beacond tries it again by itself",
                retryAfter: retryAfter)
        case 401, 403:
            return ContentError(
                code: .refused, place: url, cause: cause,
                remedy: settings.token == nil
                    ? "configure the token that the server wants" : "check the token and what it allows")
        case 404, 410:
            return ContentError(code: .refused, place: url, cause: cause, remedy: "publish the file again")
        default:
            return ContentError(code: .refused, place: url, cause: cause, remedy: "see the server's log")
        }
    }
}

extension HTTPClientResponse {
    /// The length that the server announces for the body.
    var contentLength: Int64? {
        headers.first(name: "content-length").flatMap { Int64($0) }
    }
}

extension Validators {
    /// The validators in a response's headers. Values that could not be sent back are left out.
    fileprivate init(_ headers: HTTPHeaders) {
        func usable(_ name: String) -> String? {
            headers.first(name: name).flatMap { value in
                value.utf8.count <= 1024 && value.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? value : nil
            }
        }
        self.init(etag: usable("etag"), lastModified: usable("last-modified"))
    }
}
