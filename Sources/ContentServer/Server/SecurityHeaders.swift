import HTTPTypes
import Hummingbird

/// Fields that every response has.
enum SecurityHeaders {
    /// Everything comes from this host, and nothing inline runs.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; \
        font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; \
        frame-ancestors 'self'
        """

    private static let fields: [(HTTPField.Name, String)] = {
        let texts = [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
        return texts.compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }()

    /// Fields that a route has set itself stay.
    static func add(to response: inout Response, isSecure: Bool) {
        for (name, value) in fields where response.headers[name] == nil { response.headers[name] = value }
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    }
}
