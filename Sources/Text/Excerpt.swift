/// Text from outside for a message: one printable line of at most so many columns. If it is longer, its middle is left
/// out.
package func excerpt(_ text: some StringProtocol, _ width: Int = 100) -> String {
    shortened(printable(String(text)), width, cut: .middle)
}

/// A URL for a message, without what is before its last @: that may be a password.
package func withoutUser(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url }
    let scheme = url.prefix { $0 != ":" && $0 != "@" }
    let start = url[scheme.endIndex...].hasPrefix("://") ? "\(scheme)://" : ""
    return "\(start)…\(url[at...])"
}
