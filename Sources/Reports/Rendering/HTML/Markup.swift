import Text


/// Text as HTML: what comes from outside is never markup.
func escaped(_ text: String) -> String { escapedMarkup(printable(text).unicodeScalars) }

/// Coordinates with one decimal where they need it.
func coordinate(_ value: Double) -> String {
    let text = fixed(value, digits: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A table with a caption, for those who read rather than look, and for print.
struct HTMLTable {
    var caption: String
    /// Those after the first are numbers, unless they are named in `texts`.
    var columns: [String]
    var rows: [[String]] = []
    /// Columns that hold text.
    var texts: Set<Int> = [0]

    var html: String {
        // A phone shows some five columns.
        let hint = columns.count > 5 ? swipeHint : ""
        var html = hint + "<div class=\"scroll\"><table><caption>\(escaped(caption))</caption>\n<thead><tr>"
        for (index, column) in columns.enumerated() {
            html += "<th scope=\"col\"\(style(index))>\(escaped(column))</th>"
        }
        html += "</tr></thead>\n<tbody>\n"
        for row in rows {
            html += "<tr>"
            for (index, cell) in row.enumerated() {
                html += index == 0
                    ? "<th scope=\"row\">\(escaped(cell))</th>" : "<td\(style(index))>\(escaped(cell))</td>"
            }
            html += "</tr>\n"
        }
        return html + "</tbody></table></div>\n"
    }

    private func style(_ index: Int) -> String {
        texts.contains(index) ? " class=\"text\"" : ""
    }
}

/// What few readers want to see, folded away.
func folded(_ summary: String, _ body: String) -> String {
    "<details><summary>\(escaped(summary))</summary>\n\(body)</details>\n"
}

/// Something wide, which a narrow screen shows a part of, with a word that there is more.
func panned(_ body: String) -> String {
    swipeHint + "<div class=\"pan\" tabindex=\"0\">\(body)</div>\n"
}

private let swipeHint = "<p class=\"swipe\">Swipe sideways for the rest →</p>\n"

/// A chart with the words that say the same.
func svg(
    _ title: String, _ detail: String, width: Double, height: Double, classes: String = "", _ body: String
) -> String {
    "<svg viewBox=\"0 0 \(coordinate(width)) \(coordinate(height))\" "
        + "role=\"img\"\(classes.isEmpty ? "" : " class=\"\(classes)\"")>"
        + "<title>\(escaped(title))</title><desc>\(escaped(detail))</desc>\n\(body)</svg>\n"
}
