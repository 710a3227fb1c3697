import SiteFormat
import Text

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The base URL of a site: scheme, host, port, and a path that ends without a slash.
struct BaseURL: Hashable, Sendable {
    var scheme: String
    /// In lower case; an IPv6 address has its brackets.
    var host: String
    var port: Int
    var path: String

    /// - Throws: `ContentError` with code `.settings`, with the fault of the text. It contains no password.
    init(_ text: String) throws(ContentError) {
        func refuse(_ cause: String) -> ContentError {
            ContentError(
                code: .settings, place: "content base URL \"\(excerpt(withoutUser(text)))\"", cause: cause,
                remedy: "write it like https://content.example.org or http://192.0.2.7:8080/museum")
        }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw refuse("it has no scheme") }
        scheme = parts[0].lowercased()
        guard scheme == "http" || scheme == "https" else { throw refuse("only http and https can be used") }
        guard !parts[1].contains("?"), !parts[1].contains("#") else {
            throw refuse("it must end with the path, without ? or #")
        }
        let slash = parts[1].firstIndex(of: "/") ?? parts[1].endIndex
        let authority = parts[1][..<slash]
        guard !authority.contains("@") else {
            throw refuse("it must not hold a user or password (a token has its own setting)")
        }
        guard let (host, port) = Self.split(authority: authority) else { throw refuse("its host or port is not valid") }
        self.host = host
        self.port = port ?? Self.defaultPort(scheme)

        let segments = parts[1][slash...].split(separator: "/")
        guard segments.allSatisfy({ segment in
            segment != "." && segment != ".."
                && segment.utf8.allSatisfy { isPathCharacter($0) || $0 == UInt8(ascii: "%") }
        }) else {
            throw refuse("its path has characters that are not allowed there")
        }
        path = segments.map { "/\($0)" }.joined()
    }

    /// The URL of a path below the base. The path starts with a slash, and its characters were already checked.
    func url(_ path: String) -> String {
        "\(origin)\(self.path)\(path)"
    }

    func url(of scope: ContentScope) -> String {
        url("/v1/\(scope.path).json")
    }

    func url(of asset: AssetHash) -> String {
        url("/v1/assets/\(asset)")
    }

    func url(of manifest: ManifestPath) -> String {
        let text = manifest.description
        if !path.isEmpty, text.hasPrefix("\(path)/") { return "\(origin)\(text)" }
        if text.hasPrefix("/") { return url(text) }
        return url(text.hasPrefix("v1/") ? "/\(text)" : "/v1/\(text)")
    }

    private var origin: String {
        port == Self.defaultPort(scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    private static func defaultPort(_ scheme: String) -> Int {
        scheme == "https" ? 443 : 80
    }

    private static func split(authority: Substring) -> (host: String, port: Int?)? {
        guard let address = try? HostPort(authority), address.port != 0 else { return nil }
        let valid = address.host.utf8.allSatisfy { character in
            isLetterOrDigit(character) || character == UInt8(ascii: ".")
                || (address.isBracketed ? character == UInt8(ascii: ":") : character == UInt8(ascii: "-"))
        }
        guard valid, address.isBracketed ? address.host.contains(":") && address.host != "::" : !address.host.isEmpty
        else { return nil }
        return (HostPort(host: address.host.lowercased(), port: nil).description, address.port.map(Int.init))
    }
}

// MARK: - Redirects

extension BaseURL {
    /// The longest address of a redirect, in bytes. RFC 9110, section 4.1, recommends to support 8000.
    private static let longestLocation = 8000

    /// The target of a redirect, if it stays on the base's host or an allowed one and does not switch from TLS to plain
    /// HTTP.
    ///
    /// - Returns: the target, and whether the token may be sent there (same origin, or the same host over TLS).
    func redirect(
        from url: String, location: String?, allowedHosts: Set<String>
    ) throws(ContentError) -> (url: String, mayAuthorize: Bool) {
        func refuse(_ cause: String, _ remedy: String = "") -> ContentError {
            ContentError(
                code: .redirect, place: excerpt(url, 200), cause: cause,
                remedy: remedy + "configure the base URL that the content really has, or remove the redirect")
        }
        guard let location, !location.isEmpty else { throw refuse("it redirects without saying where") }
        guard location.utf8.count <= Self.longestLocation else {
            throw refuse("it redirects to an address of more than \(Self.longestLocation) bytes")
        }
        guard let target = URL(string: location, relativeTo: URL(string: url))?.absoluteURL,
            let targetScheme = target.scheme?.lowercased(), targetScheme == "http" || targetScheme == "https",
            let targetHost = target.host?.lowercased(), target.user == nil, target.password == nil,
            // URL takes anything between brackets. Only an IPv6 address may be there (RFC 3986, section 3.2.2).
            targetHost.contains(":") || !Self.hasBrackets(target.absoluteString),
            // NIO stops the program at a port that does not fit into 16 bits.
            (1...65_535).contains(target.port ?? Self.defaultPort(targetScheme))
        else { throw refuse("it redirects to \"\(excerpt(location, 200))\", which is no usable URL") }
        let bareHost = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let isHome = targetHost == host || targetHost == bareHost
        guard isHome || allowedHosts.contains(targetHost) else {
            throw refuse(
                "it redirects to another host, \(excerpt(targetHost))",
                "add it to content.redirect_hosts if it belongs to the site, ")
        }
        guard scheme == "http" || targetScheme == "https" else { throw refuse("it redirects from https to http") }
        guard isHome else { return (target.absoluteString, false) }
        let sameOrigin = targetScheme == scheme && (target.port ?? Self.defaultPort(targetScheme)) == port
        return (target.absoluteString, sameOrigin || (scheme == "http" && targetScheme == "https"))
    }

    /// Whether the authority of a URL has a bracket.
    private static func hasBrackets(_ url: String) -> Bool {
        guard let scheme = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let authority = url.utf8[scheme...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        return authority.contains(UInt8(ascii: "["))
    }
}
