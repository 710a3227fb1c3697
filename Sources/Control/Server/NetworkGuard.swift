import HTTPTypes
import Hummingbird
import HummingbirdCore
import Serving
import Settings

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
    private let hosts: HostNames
    private let identity: ServerIdentity

    /// Cookies do not depend on the port, so each server of a host needs its own name.
    private var cookie: String { "\(identity.name)_token" }

    init(_ identity: ServerIdentity, _ settings: ControlSettings) {
        self.identity = identity
        token = settings.token
        hosts = HostNames(settings.hosts)
    }

    func check(_ request: Request) throws(Refusal) -> Verdict {
        try hosts.check(
            request, remedy: "use its address or its name, or \(identity.hostRemedy)")
        guard let token else { return .pass }
        if request.headers[.authorization] != nil {
            guard let given = request.bearerToken, isSameSecret(given, token) else { throw Self.unauthorized }
            return .pass
        }
        if let given = request.cookie(cookie), isSameSecret(given, token) { return .pass }
        guard let given = request.uri.queryParameters["token"], isSameSecret(given, token) else {
            throw Self.unauthorized
        }
        // A cookie without a date ends with the browser's session.
        let value = "\(cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
        // A page should not keep the token in its URL.
        guard request.method == .get, !request.uri.path.hasPrefix("/v1") else { return .grant([.setCookie: value]) }
        // Relative, because a proxy may serve this page below a path of its own. RFC 3986, section 4.2: a path that
        // begins with two slashes would name another host.
        let page = "./" + (request.uri.path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let rest = Self.withoutToken(request.uri.query ?? "")
        return .redirect(Response(status: .seeOther, headers: [.location: page + rest, .setCookie: value]))
    }

    /// The rest of the query: `/?token=…&kiosk` is a page for a wall.
    private static func withoutToken(_ query: some StringProtocol) -> String {
        let rest = query.split(separator: "&").filter { !$0.hasPrefix("token=") }
        return rest.isEmpty ? "" : "?" + rest.joined(separator: "&")
    }

    private static let unauthorized = Refusal(
        401, "the token is missing or wrong",
        whatToDo: "send it as Authorization: Bearer TOKEN, or open the page once with ?token=TOKEN")
}
