package import SiteFormat

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The HTTP proxies between this client and a site. Both kinds of URLs use a tunnel (`CONNECT`, RFC 9110, 9.3.6). A
/// proxy that allows tunnels only to port 443 cannot be used for http.
package struct ProxySettings: Hashable, Sendable {
    /// A proxy: its address, and the credentials for it.
    package struct Server: Hashable, Sendable, CustomStringConvertible {
        package var host: String
        package var port: Int
        package var user: String?
        package var password: String?

        /// Reads `http://user:password@host:port` or `host:port`. The default port is 3128.
        ///
        /// - Throws: `ContentError` with code `.settings`. Its text does not contain the password.
        package init(_ text: String, name: String = "proxy") throws(ContentError) {
            let url = URL(string: text.contains("://") ? text : "http://\(text)")
            // Foundation's URL would encode blanks.
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
                let url, url.scheme?.lowercased() == "http", let host = url.host, !host.isEmpty,
                url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil,
                url.port.map({ (1...65_535).contains($0) }) ?? true
            else {
                throw ContentError(
                    code: .settings, place: name, cause: "it is no address of an HTTP proxy",
                    remedy: "write it like http://proxy.example.org:3128")
            }
            self.host = host
            port = url.port ?? 3128
            user = url.user
            password = url.password
        }

        /// The address for messages, without the password.
        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// For http URLs.
    package var http: Server?
    /// For https URLs.
    package var https: Server?
    /// Hosts that are reached directly: names with all their subdomains, addresses, `host:port`, or `*` for all.
    package var bypass: [String]

    package init(http: Server? = nil, https: Server? = nil, bypass: [String] = []) {
        self.http = http
        self.https = https
        self.bypass = bypass
    }

    /// Reads `http_proxy`, `https_proxy` and `no_proxy` as curl does; nil if no proxy is set. `HTTP_PROXY` in capitals
    /// is ignored, because a CGI request can set it.
    ///
    /// - Throws: `ContentError` with code `.settings`, which names the variable.
    package init?(environment: [String: String]) throws(ContentError) {
        func server(_ names: String...) throws(ContentError) -> Server? {
            for name in names {
                if let text = environment[name], !text.isEmpty { return try Server(text, name: name) }
            }
            return nil
        }
        http = try server("http_proxy", "all_proxy", "ALL_PROXY")
        https = try server("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        bypass = Self.bypass(environment: environment)
        if http == nil, https == nil { return nil }
    }

    /// The exceptions in `no_proxy`. They also apply if the proxy itself is set elsewhere.
    package static func bypass(environment: [String: String]) -> [String] {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
    }

    /// The proxy for a URL; nil if the URL is reached directly.
    func server(for url: String) -> Server? {
        guard let url = URL(string: url), let host = url.host, !isBypassed(host: host, port: url.port)
        else { return nil }
        return switch url.scheme?.lowercased() {
        case "http": http
        case "https": https
        default: nil
        }
    }

    /// Whether a host is reached without the proxy.
    package func isBypassed(host: String, port: Int?) -> Bool {
        let host = host.lowercased()
        return bypass.contains { entry in
            var entry = entry.lowercased()
            if entry == "*" { return true }
            if let port, entry.hasSuffix(":\(port)") { entry.removeLast("\(port)".count + 1) }
            if entry.hasPrefix("*.") { entry.removeFirst(2) }
            if entry.hasPrefix(".") { entry.removeFirst() }
            return !entry.isEmpty && (host == entry || host.hasSuffix(".\(entry)"))
        }
    }
}
