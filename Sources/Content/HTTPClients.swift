internal import AsyncHTTPClient
internal import Crypto
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOSSL
import SiteFormat
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The HTTP clients of a site: one for direct connections, and one for each proxy that is set.
struct HTTPClients: Sendable {
    private let direct: HTTPClient
    private let proxied: [ProxySettings.Server: HTTPClient]
    private let proxy: ProxySettings?

    /// - Throws: `ContentError` with code `.settings` if a certificate file or a pinned key cannot be used.
    init(_ settings: ContentSettings) throws(ContentError) {
        let configuration = try Self.configuration(settings)
        var proxied: [ProxySettings.Server: HTTPClient] = [:]
        for server in Set([settings.proxy?.http, settings.proxy?.https].compactMap(\.self)) {
            var configuration = configuration
            configuration.proxy = .server(
                host: server.host, port: server.port,
                authorization: server.user.map { .basic(username: $0, password: server.password ?? "") })
            proxied[server] = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }
        direct = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.proxied = proxied
        proxy = settings.proxy
    }

    /// The client for a URL whose form was already checked.
    func client(for url: String) -> HTTPClient {
        proxy?.server(for: url).flatMap { proxied[$0] } ?? direct
    }

    /// Shuts down all clients, even if one of them fails.
    ///
    /// - Throws: the first error.
    func shutdown() async throws {
        var failure: (any Error)?
        for client in Array(proxied.values) + [direct] {
            do {
                try await client.shutdown()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private static func configuration(_ settings: ContentSettings) throws(ContentError) -> HTTPClient.Configuration {
        var pool = HTTPClient.Configuration.ConnectionPool(idleTimeout: .seconds(30))
        // The pool serves requests in the order in which they come. The order of transfers is decided before.
        pool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // Retries are made by `Fetcher`, which logs and counts them.
        pool.retryConnectionEstablishment = false
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(settings.connectTimeout), read: TimeAmount(settings.idleTimeout),
                write: TimeAmount(settings.idleTimeout)),
            connectionPool: pool,
            // Limits what a small compressed document can take in memory.
            decompression: .enabled(
                limit: .size(max(settings.maximumSiteListBytes, settings.maximumManifestBytes) + 1)))
        try secure(&configuration, settings)
        return configuration
    }
}

// MARK: - TLS

extension HTTPClients {
    private static func secure(
        _ configuration: inout HTTPClient.Configuration, _ settings: ContentSettings
    ) throws(ContentError) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = settings.authorityFile {
            do {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
            } catch {
                throw ContentError(
                    code: .settings, place: "content CA file \(file)", cause: "it cannot be used (\(error))",
                    remedy: "give a readable file with certificates in PEM form")
            }
        }
        let pins = try settings.pinnedKeys.map(pin)
        if !pins.isEmpty {
            // A pinned key identifies the server by itself, so a self-signed certificate is as good as any other.
            if settings.authorityFile == nil { tls.certificateVerification = .none }
            // With one kind of connection, there is only one place to check.
            configuration.httpVersion = .http1Only
            configuration.http1_1ConnectionDebugInitializer = { channel in
                channel.pipeline.handler(type: NIOSSLHandler.self).map { handler in
                    matches(handler.peerCertificate, pins)
                }.flatMapErrorWithValue(false).flatMap { matches in
                    if matches { return channel.eventLoop.makeSucceededVoidFuture() }
                    return channel.close().flatMapThrowing { throw PinMismatch() }
                }
            }
        }
        configuration.tlsConfiguration = tls
    }

    /// The server's key is not one of the pinned keys.
    struct PinMismatch: Error {}

    private static func matches(_ certificate: NIOSSLCertificate?, _ pins: [[UInt8]]) -> Bool {
        guard let key = try? certificate?.extractPublicKey().toSPKIBytes() else { return false }
        return pins.contains(Array(SHA256.hash(data: key)))
    }

    /// Parses a pin: the SHA-256 of a SubjectPublicKeyInfo in base64 (RFC 7469, 2.4), with or without `sha256/` before
    /// it.
    private static func pin(_ text: String) throws(ContentError) -> [UInt8] {
        let encoded = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        guard let data = Data(base64Encoded: encoded), data.count == 32 else {
            throw ContentError(
                code: .settings, place: "pinned key \"\(text)\"", cause: "it is not the SHA-256 of a key in base64",
                remedy: "openssl x509 -in CERTIFICATE -pubkey -noout | openssl pkey -pubin -outform der | "
                    + "openssl dgst -sha256 -binary | base64 prints it")
        }
        return Array(data)
    }
}

extension EventLoopFuture where Value == Bool {
    fileprivate func flatMapErrorWithValue(_ value: Bool) -> EventLoopFuture<Bool> {
        flatMapError { _ in self.eventLoop.makeSucceededFuture(value) }
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
