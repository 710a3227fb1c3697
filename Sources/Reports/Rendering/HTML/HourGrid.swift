import Text

/// One row for each subject, one column for each hour of the day. A stronger colour means more.
struct HourGrid {
    struct Row {
        var label: String
        /// The CSS class of its colour.
        var colour: String
        /// For each hour, its share of the maximum, and its value in words.
        var cells: [(share: Double, words: String)]
    }

    var rows: [Row]

    func svg(_ title: String, _ detail: String) -> String {
        let (width, left, row, top) = (1080.0, 190.0, 22.0, 20.0)
        let cell = (width - left - 8) / 24
        let names = shortenedApart(rows.map(\.label), 26)
        var body = ""
        for hour in stride(from: 0, through: 23, by: 1) {
            body +=
                "<text class=\"axis\" x=\"\(coordinate(left + cell * (Double(hour) + 0.5)))\" y=\"12\" "
                + "text-anchor=\"middle\">\(hour)</text>\n"
        }
        for (index, each) in rows.enumerated() {
            let y = top + row * Double(index)
            body +=
                "<g class=\"\(each.colour)\"><text x=\"\(coordinate(left - 10))\" "
                + "y=\"\(coordinate(y + 15))\" text-anchor=\"end\">"
                + "\(escaped(names[index]))</text>"
            for (hour, (share, words)) in each.cells.enumerated() {
                let opacity = share <= 0 ? 0.05 : 0.18 + 0.82 * share
                let x = left + cell * Double(hour)
                body +=
                    "<rect class=\"full\" fill-opacity=\"\(fixed(opacity, digits: 2))\" x=\"\(coordinate(x + 1))\" "
                    + "y=\"\(coordinate(y + 1))\" "
                    + "width=\"\(coordinate(cell - 2))\" height=\"\(coordinate(row - 2))\" rx=\"2\"><title>\(hour) to "
                    + "\(hour + 1) h: \(words)</title></rect>"
            }
            body += "</g>\n"
        }
        return Reports.svg(
            title, detail, width: width, height: top + row * Double(rows.count) + 4, classes: "wide", body)
    }
}
