import HTTPTypes
package import Hummingbird
import Serving

/// The cookies of this server.
package enum BrowserCookies {
    package enum Name: String, Sendable {
        case session = "beacon_session"
        /// The secret before somebody is signed in.
        case visit = "beacon_visit"
        case language = "beacon_language"
        case theme = "beacon_theme"

        /// Over TLS, only this host can set a cookie with this prefix (RFC 6265bis, section 4.1.3.2).
        func full(isSecure: Bool) -> String { isSecure ? "__Host-\(rawValue)" : rawValue }
    }

    /// The longest value that is looked at.
    static let longest = 256

    package static func value(_ name: Name, of request: Request, isSecure: Bool) -> String? {
        guard let value = request.cookie(name.full(isSecure: isSecure)), value.utf8.count <= longest else { return nil }
        return value
    }

    /// - Parameter maximumAge: seconds; nil until the browser is closed, 0 to remove it.
    package static func set(
        _ name: Name, _ value: String, isSecure: Bool, maximumAge: Int? = nil, in response: inout Response
    ) {
        var text = "\(name.full(isSecure: isSecure))=\(value); Path=/; HttpOnly; SameSite=Lax"
        if isSecure { text += "; Secure" }
        if let maximumAge { text += "; Max-Age=\(maximumAge)" }
        response.headers.append(HTTPField(name: .setCookie, value: text))
    }
}
