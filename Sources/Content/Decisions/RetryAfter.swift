import Text

/// Parses the `Retry-After` field (RFC 9110, 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// - Parameter now: seconds since 1970, to calculate the time until a date.
    package static func duration(_ text: String, now: Double) -> Duration? {
        if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 1_000_000)) }
        guard let date = HTTPDate.seconds(text) else { return nil }
        return .seconds(min(max(Double(date) - now, 0), 1_000_000))
    }
}
