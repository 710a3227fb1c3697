import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Serving
import Settings
import Text

/// Which requests are allowed over TCP: those that address this host by one of its names and have the token, if one is
/// set.
struct NetworkGuard: Sendable {
    enum Verdict {
        case pass
        /// The request is allowed. With these fields the client need not send the token in the URL again.
        case grant(HTTPFields)
        case redirect(Response)
    }

    private let token: String?
    private let hosts: Set<String>

    private static let cookie = "beacond_token"

    init(_ settings: ControlSettings) {
        token = settings.token
        hosts = Set((settings.hosts + ["localhost"] + Self.ownNames).map { $0.lowercased() })
    }

    func check(_ request: Request) throws(Refusal) -> Verdict {
        try checkHost(request)
        guard let token else { return .pass }
        if let field = request.headers[.authorization] {
            let parts = field.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer", Self.isSame(parts[1], token) else {
                throw Self.unauthorized
            }
            return .pass
        }
        if let cookie = request.cookies[Self.cookie], Self.isSame(cookie.value, token) { return .pass }
        guard let given = request.uri.queryParameters["token"], Self.isSame(given, token) else {
            throw Self.unauthorized
        }
        // A cookie without a date ends with the browser's session.
        let value = "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
        // A page should not keep the token in its URL.
        guard request.method == .get, !request.uri.path.hasPrefix("/v1") else { return .grant([.setCookie: value]) }
        // A path with two slashes would redirect to another host.
        let path = request.uri.path.hasPrefix("//") ? "/" : request.uri.path
        let rest = Self.withoutToken(request.uri.query ?? "")
        return .redirect(Response(status: .seeOther, headers: [.location: path + rest, .setCookie: value]))
    }

    /// The rest of the query: `/?token=…&kiosk` is a page for a wall.
    private static func withoutToken(_ query: some StringProtocol) -> String {
        let rest = query.split(separator: "&").filter { !$0.hasPrefix("token=") }
        return rest.isEmpty ? "" : "?" + rest.joined(separator: "&")
    }

    private static let unauthorized = Refusal(
        401, "the token is missing or wrong",
        whatToDo: "send it as Authorization: Bearer TOKEN, or open the page once with ?token=TOKEN")

    /// With DNS rebinding, another site's name points to this host, but the browser still sends that name.
    private func checkHost(_ request: Request) throws(Refusal) {
        let host = HostPort.host(of: request.head.authority ?? "").lowercased()
        guard hosts.contains(host) || (try? SocketAddress(ipAddress: host, port: 0)) != nil else {
            throw Refusal(
                421, "this host is not called \"\(host.prefix(253))\"",
                whatToDo: "use its address or its name, or add the name to http.hosts in the configuration")
        }
    }

    private static var ownNames: [String] {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        let name = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        guard !name.isEmpty else { return [] }
        let short = name.prefix { $0 != "." }
        return [name, String(short), "\(short).local"]
    }

    /// Takes the same time wherever the texts differ.
    private static func isSame(_ given: some StringProtocol, _ token: String) -> Bool {
        let (left, right) = (Array(given.utf8), Array(token.utf8))
        var difference = left.count ^ right.count
        for index in right.indices { difference |= Int(right[index] ^ (index < left.count ? left[index] : 0)) }
        return difference == 0
    }
}
