/// Text from outside for a message: one printable line of at most so many columns. If it is longer, its middle is left
/// out.
package func excerpt(_ text: some StringProtocol, _ width: Int = 100) -> String {
    shortened(printable(String(text)), width, cut: .middle)
}

/// A URL for a message, without what is before its last @: that may be a password.
package func withoutUser(_ url: String) -> String {
    // By octets: a mark behind the sign would make another character of it, and the password would be shown.
    guard let at = url.utf8.lastIndex(of: UInt8(ascii: "@")) else { return url }
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "@") }
    let start = url.utf8[scheme.endIndex...].starts(with: "://".utf8) ? "\(Substring(scheme))://" : ""
    return "\(start)…\(url[at...])"
}
