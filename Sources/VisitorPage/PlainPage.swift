import Crypto

/// Pages that contain only text: what is near, for browsers without scripts, and why a request is refused.
package enum PlainPage {
    package struct Row: Sendable {
        package var name: String
        /// In metres; nil if it is unknown.
        package var distance: Double?
        package var isNearest: Bool

        package init(name: String, distance: Double?, isNearest: Bool) {
            self.name = name
            self.distance = distance
            self.isNearest = isNearest
        }
    }

    /// The beacons that are near, the nearest first.
    ///
    /// - Parameters:
    ///   - rows: the beacons to show, in this order.
    ///   - more: the number of other beacons.
    ///   - isBlind: the scanner is blind, so the rows are from earlier.
    package static func list(_ rows: [Row], more: Int, isBlind: Bool) -> PageFile {
        let nearest = rows.first { $0.isNearest }
        let items = ([nearest].compactMap { $0 } + rows.filter { !$0.isNearest }).map(item)
        var body = "<h1>What is near me</h1>\n"
        if isBlind { body += "<p role=status>The receiver cannot hear at the moment. This is from before.</p>\n" }
        body += items.isEmpty ? "<p>No exhibit is near. Walk up to one.</p>\n" : "<ol>\n\(items.joined())</ol>\n"
        if more > 0 { body += "<p>and \(more) more</p>\n" }
        body += """
            <p><a href="plain">Look again</a></p>
            <p class=note>Distances are estimates. A browser that runs JavaScript shows more: pictures and texts, which
            follow you as you walk.</p>

            """
        let direction = HTMLText.direction(of: nearest?.name ?? rows.first?.name ?? "")
        return page("What is near me", direction: direction, body)
    }

    /// Why a page is not shown, and what to do.
    ///
    /// - Parameters:
    ///   - asksForToken: adds a field to type the token into.
    ///   - title: the title of the page that the link leads to.
    ///   - tokenSource: a sentence in HTML that says where the token is, on a page that is not for visitors.
    package static func refusal(
        _ problem: String, whatToDo remedy: String, asksForToken: Bool, title: String = "What is near me",
        tokenSource: String? = nil
    ) -> PageFile {
        guard asksForToken else {
            let body = "<h1>This does not work</h1>\n<p dir=auto>\(HTMLText.escaped(problem)).</p>\n"
                + "<p dir=auto>\(HTMLText.escaped(remedy)).</p>\n<p><a href=\"/\">\(title)</a></p>\n"
            return page(title, direction: "ltr", body)
        }
        let heading = tokenSource == nil ? "For visitors of this place" : title
        let source = tokenSource ?? "Scan the code at the entrance, or ask there."
        let body = """
            <h1>\(heading)</h1>
            <p>This page opens with a token. \(source) This browser remembers it then.</p>
            <form action="/" method="get">
            <label for="token">The token</label>
            <input id="token" name="token" required autocomplete="off" autocapitalize="off" spellcheck="false">
            <button>Open</button>
            </form>

            """
        return page(heading, direction: "ltr", body, formAction: "'self'")
    }

    private static func item(_ row: Row) -> String {
        let mark = row.isNearest ? "<strong>\(HTMLText.name(row.name))</strong>" : HTMLText.name(row.name)
        let distance = row.distance.map { ", about <span dir=ltr>\(metres($0)) m</span>" } ?? ""
        let (current, word) = row.isNearest ? (" aria-current=true", ": the nearest") : ("", "")
        return "<li\(current)>\(mark)\(distance)\(word)</li>\n"
    }

    /// The distance in the format of the page with scripts: 1.2, 14.
    private static func metres(_ distance: Double) -> String {
        let distance = distance.isNaN ? 0 : min(max(distance, 0), 99_999)
        guard distance < 9.95 else { return "\(Int(distance.rounded()))" }
        let tenths = Int((distance * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func page(
        _ title: String, direction: String, _ body: String, formAction: String = "'none'"
    ) -> PageFile {
        let text = """
            <!doctype html>
            <html lang="en" dir="\(direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            \(body)</main>
            </body>
            </html>

            """
        return PageFile(made: text, policy: "\(basePolicy); form-action \(formAction)")
    }

    private static let style = String(decoding: PackageResources.plain_css, as: UTF8.self)

    /// The style is inline, because a browser without the token could not load it.
    private static let basePolicy: String = {
        var encoder = SHA256()
        encoder.update(data: PackageResources.plain_css)
        let hash = base64(Array(encoder.finalize()))
        return "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; frame-ancestors 'self'"
    }()

    /// The octets in base64 (RFC 4648, section 4).
    private static func base64(_ octets: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: octets.count, by: 3) {
            let three = octets[start..<min(start + 3, octets.count)]
            let bits = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
            for index in 0..<4 {
                text.append(index <= three.count ? letters[bits >> (18 - 6 * index) & 63] : "=")
            }
        }
        return text
    }
}
