internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL
import SiteFormat
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

// Describes errors below HTTP in plain words: users do not understand the libraries' own messages.
extension ContentError {
    /// An error below HTTP. Except for failed decompression, it counts as temporary.
    init(transport error: any Error, url: String, settings: ContentSettings) {
        let network = "check that the server runs and the network reaches it"
        func connection(_ cause: String, _ remedy: String = network) -> ContentError {
            ContentError(code: .connection, place: url, cause: cause, remedy: remedy)
        }
        let proxy = settings.proxy?.server(for: url)
        let way = "check content.proxy, and that the proxy runs and the network reaches it"
        switch error {
        case is NIOHTTPDecompression.DecompressionError:
            self.init(
                code: .tooLarge, place: url, cause: "it cannot be decompressed within the allowed size",
                remedy: "make it smaller, or switch the server's compression off")
        case is ChannelError: self = connection("the connection was closed early")
        case is HTTPClients.PinMismatch:
            self = connection(
                "the server's key is none of those in content.pinned_keys",
                "pin its new key if it was changed on purpose; if not, somebody stands between")
        case let error as NIOConnectionError:
            let proxies = [settings.proxy?.http, settings.proxy?.https].compactMap { $0 }
            if let proxy = proxies.first(where: { $0.host == error.host && $0.port == error.port }) {
                self = connection("the proxy \(proxy): \(Self.cause(error))", way)
            } else {
                self = connection(Self.cause(error))
            }
        case let error as IOError: self = connection(Self.text(error.errnoCode))
        case HTTPParserError.invalidEOFState: self = connection("the connection was closed early")
        case is HTTPParserError:
            self = connection("what answers there does not speak HTTP", "check the URL and its port")
        case let error as HTTPClientError:
            switch error {
            case .tlsHandshakeTimeout:
                self.init(
                    code: .timeout, place: url, cause: "connecting took longer than \(settings.connectTimeout)",
                    remedy: network)
            case .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout:
                // It cannot be determined which of the two does not answer, because the proxy connects to the site.
                let through = proxy.map { " through the proxy \($0)" } ?? ""
                self.init(
                    code: .timeout, place: url,
                    cause: "connecting\(through) took longer than \(settings.connectTimeout)",
                    remedy: proxy == nil ? network : way)
            case .readTimeout, .deadlineExceeded:
                self.init(
                    code: .timeout, place: url, cause: "the server was silent for \(settings.idleTimeout)",
                    remedy: network)
            case .remoteConnectionClosed: self = connection("the connection was closed early")
            case .proxyAuthenticationRequired:
                self = connection("the proxy wants a user and a password", "put them into content.proxy")
            case .invalidProxyResponse:
                self = connection(
                    "the proxy lets nothing through", "check content.proxy, and what the proxy allows")
            default: self = connection("the server's answer cannot be used")
            }
        case let error:
            let (cause, remedy) = Self.secureCause("\(error)") ?? ("the connection failed", network)
            self = connection(cause, remedy)
        }
    }

    /// No address could be reached. The reason of the last one is reported.
    private static func cause(_ error: NIOConnectionError) -> String {
        if let last = error.connectionErrors.last {
            if let system = last.error as? IOError { return text(system.errnoCode) }
            return "no connection to port \(error.port)"
        }
        return "the name \(error.host) has no address"
    }

    private static func text(_ code: CInt) -> String {
        // "Connection refused"
        String(cString: strerror(code)).lowercased()
    }

    /// TLS errors have only a text that says what went wrong.
    private static func secureCause(_ text: String) -> (String, String)? {
        let trust = "give the authority's certificate as content.ca_file, or renew the server's"
        let known = [
            (
                "CERTIFICATE_VERIFY_FAILED", "the server's certificate is not trusted",
                trust + "; check the clock as well"
            ),
            ("failedToValidateHostname", "the server's certificate is for another name", "use the name it is for"),
            ("WRONG_VERSION_NUMBER", "what answers there does not speak TLS", "use http://, or the right port"),
            ("HTTP_REQUEST", "what answers there does not speak TLS", "use http://, or the right port"),
            ("noCertificateToValidate", "the server shows no certificate", trust),
            ("unableToValidateCertificate", "the server's certificate is not trusted", trust),
        ]
        for (word, cause, remedy) in known where text.contains(word) { return (cause, remedy) }
        guard text.contains("handshakeFailed") || text.contains("SSL") else { return nil }
        return ("no secure connection could be agreed on", "check the server's TLS settings: 1.2 or newer is needed")
    }
}
