import Content
import Foundation

extension FuzzTarget {
    /// `Location` of a redirect, which decides where the next request of a site's content goes, and its token.
    static let redirect = FuzzTarget(
        text: "redirect",
        words: [
            "http://", "https://", "//", "@", ":443", ":80", ":99999", "%2F", "%40", "%0A", "\\", "../", "?", "#",
            "content.example.org", "cdn.example.net", "192.0.2.7", "[2001:db8::1]",
        ],
        longestInput: 1000
    ) {
        [
            "/v2/site.json", "../other/site.json?a=b#c", "?page=2", "//cdn.example.net/v1/site.json",
            "https://content.example.org/museum/v2/site.json", "https://content.example.org:8443/", "HTTP://192.0.2.7",
            "http://content.example.org:8080/x", "http://[2001:db8::1]:80/x", "https://192.0.2.7:99999/x",
            "https://user:password@content.example.org/", "https://content.example.org@evil.example/",
            "ftp://192.0.2.7/x", "https://evil.example/ü",
        ]
    } check: { text in
        for base in redirectBases {
            let address = "\(base.scheme)://\(base.authority)/museum"
            var settings = try ContentSettings(baseURL: address, directory: "/")
            settings.allowedRedirectHosts = ["cdn.example.net"]
            let target = try refusing(atMost: 4000) { [settings] in
                try settings.redirect(from: "\(address)/v1/x", location: text)
            }
            guard let target else { continue }
            try checkRedirect(target.url, mayAuthorize: target.mayAuthorize, from: base)
            let again = try settings.redirect(from: target.url, location: target.url)
            try require(
                again.url == target.url && again.mayAuthorize == target.mayAuthorize,
                "\(target.url) is read as \(again.url)")
        }
    }
}

private struct RedirectBase {
    let scheme: String
    let host: String
    let port: Int

    var authority: String { "\(host):\(port)" }
}

private let redirectBases = [
    RedirectBase(scheme: "https", host: "content.example.org", port: 443),
    RedirectBase(scheme: "http", host: "content.example.org", port: 8080),
    RedirectBase(scheme: "https", host: "192.0.2.7", port: 8443),
    RedirectBase(scheme: "http", host: "[2001:db8::1]", port: 80),
]

/// Reads the URL by string operations only, so that a mistake of `URL` is not made twice.
private func checkRedirect(
    _ url: String, mayAuthorize: Bool, from base: RedirectBase
) throws(BrokenInvariant) {
    // What stands in a request line.
    try require(url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a URL that is not ASCII: \(url.debugDescription)")
    let parts = url.split(separator: "://", maxSplits: 1)
    try require(parts.count == 2, "\(url) has no scheme")
    let scheme = parts[0].lowercased()
    try require(scheme == "https" || scheme == "http" && base.scheme == "http", "from \(base.scheme) to \(url)")

    let authority = parts[1].prefix { !"/?#".contains($0) }
    let credentials = authority.split(separator: "@", omittingEmptySubsequences: false).dropLast()
    try require(credentials.allSatisfy(\.isEmpty), "credentials in \(url)")
    let place = authority.drop { $0 == "@" }
    let end = place.hasPrefix("[") ? place.firstIndex(of: "]") : place.lastIndex(of: ":")
    let literal = place.hasPrefix("[")
    let hostText = end.map { literal ? place[...$0] : place[..<$0] } ?? place
    let host = String(hostText).removingPercentEncoding?.lowercased() ?? ""
    try require([base.host, "cdn.example.net"].contains(host), "from \(base.host) to \(url)")

    let digits = place.dropFirst(hostText.count).drop { $0 == ":" }
    let port = Int(digits) ?? (scheme == "https" ? 443 : 80)
    try require((1...65_535).contains(port), "a port that cannot be: \(url)")
    if mayAuthorize {
        try require(host == base.host, "the token goes from \(base.host) to \(url)")
        try require(
            scheme == "https" && base.scheme == "http" || scheme == base.scheme && port == base.port,
            "the token goes from \(base.scheme)://\(base.authority) to \(url)")
    }
}
