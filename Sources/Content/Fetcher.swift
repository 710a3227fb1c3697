internal import AsyncHTTPClient
internal import Beacon
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Requests to a site: time-outs, a few attempts each, redirects within the host, bounded bodies.
struct Fetcher: Sendable {
    let client: HTTPClient
    let settings: ContentSettings
    let time: ContentTime
    let random: @Sendable () -> Double
    let logger: Logger

    /// Longer pauses are not waited for inside a request: whoever asked for it is told, and tries again later.
    private static let longestQuietPause = Duration.seconds(5)
    private static let maximumRedirects = 5

    /// What the server said about a document.
    enum Answer: Sendable {
        case document([UInt8], Validators)
        /// 304: what the validators stood for is current.
        case unchanged
        /// 404 or 410.
        case absent
    }

    /// Asks for a document, on condition that it is not what `validators` stand for.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are taken.
    ///   - fresh: caches on the way are to ask the origin (RFC 9111, 5.2.1.4).
    func document(
        _ url: String, validators: Validators?, limit: Int, fresh: Bool
    ) async throws(ContentError) -> Answer {
        var headers = HTTPHeaders()
        // RFC 9110, 13.1.3: If-Modified-Since means nothing beside If-None-Match.
        if let etag = validators?.etag {
            headers.add(name: "If-None-Match", value: etag)
        } else if let lastModified = validators?.lastModified {
            headers.add(name: "If-Modified-Since", value: lastModified)
        }
        if fresh { headers.add(name: "Cache-Control", value: "no-cache") }
        let conditional = validators?.isEmpty == false
        return try await repeating { () throws(ContentError) in
            try await limited(settings.documentTimeout, url) { [headers] in
                let response = try await send(url, headers)
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

    /// Fetches an asset into the store. Returns when it is in place, verified and flushed.
    ///
    /// - Parameter received: called with the bytes that have come in so far; a new attempt begins again at 0.
    func asset(
        _ asset: ManifestAsset, into writer: StoreWriter, received: @escaping @Sendable (Int64) async -> Void
    ) async throws(ContentError) {
        let url = settings.base.url(of: asset.sha256)
        try await repeating { () throws(ContentError) in
            try await limited(settings.assetTimeout, url) {
                await received(0)
                let response = try await send(url, [:])
                guard response.status == .ok else {
                    if response.status == .notFound || response.status == .gone { await drain(response) }
                    throw refusal(response, url)
                }
                let promised = response.headers.first(name: "content-length").flatMap { Int64($0) }
                if let promised, promised > asset.bytes {
                    throw ContentError(
                        code: .tooLarge, place: url,
                        cause: "it has \(promised) bytes on the server, the manifest promises \(asset.bytes)",
                        remedy: "correct the size in the manifest, or the file on the server")
                }
                let download = try await writer.begin(asset)
                do {
                    var count: Int64 = 0
                    for try await buffer in response.body {
                        try await writer.append(download, buffer)
                        count += Int64(buffer.readableBytes)
                        await received(count)
                    }
                    // Without a length, the end of the connection is all that tells the end of the body.
                    if count < asset.bytes, promised != count {
                        throw ContentError(
                            code: .connection, place: url,
                            cause: "the connection ended after \(count) of \(asset.bytes) bytes",
                            remedy: "check the network and the server")
                    }
                    try await writer.finish(download)
                } catch {
                    await writer.discard(download)
                    throw error
                }
            }
        }
    }
}

// MARK: - One request

extension Fetcher {
    /// Sends a GET and follows redirects, as far as they are allowed.
    private func send(_ url: String, _ headers: HTTPHeaders) async throws -> HTTPClientResponse {
        var url = url
        var mayAuthorize = true
        for _ in 0...Self.maximumRedirects {
            var request = HTTPClientRequest(url: url)
            request.headers = headers
            request.headers.add(name: "User-Agent", value: "beacond")
            if mayAuthorize, let token = settings.token {
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
            }
            // The whole time is limited by the caller; this only must not be shorter.
            let response = try await client.execute(request, deadline: .distantFuture)
            logger.debug("request", metadata: ["url": "\(url)", "status": "\(response.status.code)"])
            switch response.status {
            case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect:
                let target = try settings.base.redirect(from: url, location: response.headers.first(name: "location"))
                await drain(response)
                url = target.url
                mayAuthorize = target.mayAuthorize
            default:
                let coding = response.headers.first(name: "content-encoding")?.lowercased()
                guard coding == nil || coding == "identity" || response.status != .ok else {
                    throw ContentError(
                        code: .refused, place: url, cause: "it is sent compressed though that was not asked for",
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
            remedy: "make it smaller, or raise the limit in the settings")
        let promised = response.headers.first(name: "content-length").flatMap { Int64($0) }
        if let promised, promised > Int64(limit) { throw tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in response.body {
            guard bytes.count + buffer.readableBytes <= limit else { throw tooLarge }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    /// Reads a small rest, so that the connection can be used again; a large one is cut off instead.
    private func drain(_ response: HTTPClientResponse) async {
        var count = 0
        do {
            for try await buffer in response.body {
                count += buffer.readableBytes
                if count > 65536 { return }
            }
        } catch {
            // What is not read cannot matter; the next request takes another connection.
        }
    }

    private func refusal(_ response: HTTPClientResponse, _ url: String) -> ContentError {
        let status = response.status
        let cause = "the server answers \(status.code) \(status.reasonPhrase)"
        switch status.code {
        case 408, 425, 429, 500...599:
            let retryAfter = response.headers.first(name: "retry-after").flatMap {
                RetryAfter.duration($0, now: time.now().seconds)
            }
            return ContentError(
                code: .unavailable, place: url, cause: cause, remedy: "it is tried again; see the server's log",
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

// MARK: - Attempts and time-outs

extension Fetcher {
    private func repeating<Value>(
        _ attempt: () async throws(ContentError) -> Value
    ) async throws(ContentError) -> Value {
        let policy = RetryPolicy(
            pause: settings.attemptPause, maximum: Self.longestQuietPause,
            maximumRetryAfter: settings.maximumRetryAfter)
        var failures = 0
        while true {
            do throws(ContentError) {
                return try await attempt()
            } catch {
                failures += 1
                let delay = policy.delay(failures: failures, retryAfter: error.retryAfter, random: random())
                guard error.isTransient, failures < settings.attempts, delay <= Self.longestQuietPause else {
                    throw error
                }
                logger.debug("trying again", metadata: ["error": "\(error)", "delay": "\(delay)"])
                guard (try? await time.sleep(delay)) != nil else { throw .cancelled(error.place) }
            }
        }
    }

    private func limited<Value: Sendable>(
        _ limit: Duration, _ url: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws(ContentError) -> Value {
        do {
            return try await withThrowingTaskGroup(of: Value.self) { group in
                group.addTask { try await work() }
                group.addTask {
                    try await time.sleep(limit)
                    throw ContentError(
                        code: .timeout, place: url, cause: "it was not complete after \(limit)",
                        remedy: "check the network, or raise the time-out")
                }
                defer { group.cancelAll() }
                guard let value = try await group.next() else { throw CancellationError() }
                return value
            }
        } catch let error as ContentError {
            throw error
        } catch {
            throw Task.isCancelled ? .cancelled(url) : ContentError(transport: error, url: url, settings: settings)
        }
    }
}

extension ContentError {
    static func cancelled(_ place: String) -> ContentError {
        ContentError(
            code: .cancelled, place: place, cause: "syncing was stopped", remedy: "it goes on at the next start")
    }

    /// Below HTTP: whatever it is, it may be over in a moment.
    fileprivate init(transport error: any Error, url: String, settings: ContentSettings) {
        let remedy = "check that the server runs and the network reaches it"
        switch error as? HTTPClientError {
        case .connectTimeout?, .tlsHandshakeTimeout?, .getConnectionFromPoolTimeout?:
            self.init(
                code: .timeout, place: url, cause: "connecting took longer than \(settings.connectTimeout)",
                remedy: remedy)
        case .readTimeout?, .deadlineExceeded?:
            self.init(
                code: .timeout, place: url, cause: "the server was silent for \(settings.idleTimeout)",
                remedy: remedy)
        case .remoteConnectionClosed?:
            self.init(code: .connection, place: url, cause: "the connection was closed early", remedy: remedy)
        case let error?:
            self.init(code: .connection, place: url, cause: error.shortDescription, remedy: remedy)
        case nil:
            self.init(code: .connection, place: url, cause: "\(error)", remedy: remedy)
        }
    }
}

extension Validators {
    /// What an answer says about its document. Values that could not be sent back are left out.
    fileprivate init(_ headers: HTTPHeaders) {
        func usable(_ name: String) -> String? {
            headers.first(name: name).flatMap { value in
                value.utf8.count <= 1024 && value.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? value : nil
            }
        }
        self.init(etag: usable("etag"), lastModified: usable("last-modified"))
    }
}
