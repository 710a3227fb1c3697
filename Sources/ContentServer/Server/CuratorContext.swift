import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
package import Serving

/// What is known about a request besides the request itself.
package struct CuratorContext: RequestContext {
    package typealias Source = CuratorContextSource

    package var coreContext: CoreRequestContextStorage
    /// The client's address, behind a named proxy the one that the proxy gave.
    package var address: String
    /// The connection, for sending large answers at its pace.
    package let client: Client
    /// The request came over TLS, here or at a named proxy.
    package var isSecure: Bool
    /// Who is signed in.
    package var visitor: Visitor?
    /// The secret of the session, for signing out.
    var session: String?
    /// The secret of a browser that is not signed in.
    var secret = ""
    /// The path of the request, without a query.
    package var path = "/"
    /// The values of its query, decoded.
    package var query: [String: String] = [:]
    /// The look of the pages: `light`, `dark`, or empty for what the browser prefers.
    package var theme = ""
    /// The language of the pages.
    package var language = "en"
    /// The fields of a form that was sent.
    package var form = FormFields()

    package init(source: CuratorContextSource) {
        coreContext = .init(source: source)
        address = source.address
        isSecure = source.isSecure
        client = source.client
    }

    /// What a form has to send in its hidden field `csrf`, or a script in `X-CSRF-Token`.
    package var csrf: String { visitor?.csrf ?? FormSecret.proof(secret) }
}

package struct CuratorContextSource: RequestContextSource {
    package var address: String
    package var isSecure: Bool
    package var client: Client
    package var logger: Logger

    package init(address: String, isSecure: Bool, client: Client, logger: Logger) {
        self.client = client
        self.address = address
        self.isSecure = isSecure
        self.logger = logger
    }
}
