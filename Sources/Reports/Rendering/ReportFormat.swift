package import Text

/// The formats of a report.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// For people at a terminal.
    case text
    /// One object with all values.
    case json
    /// A header and one line per beacon.
    case csv
    /// One file for a browser. It loads nothing else.
    case html

    package var mediaType: String {
        switch self {
        case .text: "text/plain; charset=utf-8"
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        }
    }
}

extension HistoryReport {
    /// The report in a format.
    ///
    /// - Parameters:
    ///   - terminal: the terminal that the text format is made for.
    ///   - localTime: for the formats that people read. Those for programs use UTC, but name this zone beside the
    ///     hours of the day.
    package func rendered(
        as format: ReportFormat, terminal: Terminal = Terminal(isTerminal: false), localTime: LocalTime = .current
    ) -> String {
        switch format {
        case .text: ReportText(self, terminal: terminal, localTime: localTime).text
        case .json: ReportJSON.text(self, localTime)
        case .csv: ReportCSV.text(self)
        case .html: ReportPage(self, localTime: localTime).html
        }
    }
}
