import Text

/// Escapes text for HTML, so that text from outside can never become markup.
func escaped(_ text: String) -> String { escapedMarkup(printable(text).unicodeScalars) }

/// A coordinate with one decimal, or none if that is 0.
func coordinate(_ value: Double) -> String {
    let text = fixed(value, digits: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A table with a caption, for screen readers and for print.
struct HTMLTable {
    var caption: String
    /// All columns after the first hold numbers, unless `texts` names them.
    var columns: [String]
    var rows: [[String]] = []
    /// The indices of the columns that hold text.
    var texts: Set<Int> = [0]

    var html: String {
        // A phone shows about five columns of numbers, or three and a sentence.
        let endsInText = texts.contains(columns.count - 1)
        let hint = columns.count > (endsInText ? 3 : 5) ? swipeHint : ""
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

    /// The first rows, and the others folded away.
    ///
    /// - Parameter words: describes the folded rows, by their number.
    func html(open: Int, _ words: (Int) -> String) -> String {
        var (first, rest) = (self, self)
        first.rows = Array(rows.prefix(open))
        rest.rows = Array(rows.dropFirst(open))
        return first.html + (rest.rows.isEmpty ? "" : folded(words(rest.rows.count), rest.html))
    }

    private func style(_ index: Int) -> String {
        texts.contains(index) ? " class=\"text\"" : ""
    }
}

/// Details that are folded away until the reader opens them.
func folded(_ summary: String, _ body: String) -> String {
    "<details><summary>\(escaped(summary))</summary>\n\(body)</details>\n"
}

/// A wide element. A narrow screen shows part of it and a hint to swipe.
func panned(_ body: String) -> String {
    swipeHint + "<div class=\"pan\" tabindex=\"0\">\(body)</div>\n"
}

private let swipeHint = "<p class=\"swipe\">Swipe sideways for the rest →</p>\n"

/// A chart with a text that says the same.
func svg(
    _ title: String, _ detail: String, width: Double, height: Double, classes: String = "", _ body: String
) -> String {
    "<svg viewBox=\"0 0 \(coordinate(width)) \(coordinate(height))\" "
        + "role=\"img\"\(classes.isEmpty ? "" : " class=\"\(classes)\"")>"
        + "<title>\(escaped(title))</title><desc>\(escaped(detail))</desc>\n\(body)</svg>\n"
}
