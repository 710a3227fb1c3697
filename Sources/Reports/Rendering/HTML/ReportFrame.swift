import Text

// The parts that all reports in HTML have.

/// A whole page.
///
/// - Parameter body: markup; the other texts are plain text.
func reportPage(_ heading: String, _ introduction: String, _ body: String, footer: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="generator" content="beacond \(SoftwareVersion.text)">
    <title>\(escaped(heading))</title>
    <style>
    \(ReportStyle.css)
    </style>
    </head>
    <body>
    <main>
    <header>
    <h1>\(escaped(heading))</h1>
    <p>\(escaped(introduction))</p>
    </header>
    \(body)<footer>\(escaped(footer))</footer>
    </main>
    </body>
    </html>

    """
}

/// A figure in large letters, and what it counts.
typealias ReportTile = (figure: String, words: String, isBad: Bool)

func reportTiles(_ tiles: [ReportTile]) -> String {
    "<ul class=\"tiles\">"
        + tiles.map { figure, words, isBad in
            "<li class=\"tile\(isBad ? " bad" : "")\"><b\(figure.count > 8 ? " class=\"long\"" : "")>\(figure)</b>"
                + "<span>\(words)</span></li>"
        }.joined()
        + "</ul>\n"
}

/// Four cells of a table: the total time, the number of visits, and the median and the maximum length of a visit.
func visitCells(_ history: VisitHistory) -> [String] {
    [
        Words.span(history.seconds), "\(history.visits.count)", history.medianSeconds.map(Words.span) ?? "–",
        history.longestSeconds.map(Words.span) ?? "–",
    ]
}

/// - Parameters:
///   - title: plain text without markup characters.
///   - words: markup.
func reportSection(_ title: String, _ words: String, _ body: String) -> String {
    "<section>\n<h2>\(title)</h2>\n<p>\(words)</p>\n\(body)</section>\n"
}
