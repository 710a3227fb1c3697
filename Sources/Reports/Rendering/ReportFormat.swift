package import Text


/// The forms of a report.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// For people at a terminal.
    case text
    /// One object with everything.
    case json
    /// A header and a line a beacon.
    case csv
    /// One file for a browser, which refers to nothing outside of it.
    case html

    /// What HTTP calls it.
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
    /// The report in a form.
    ///
    /// - Parameters:
    ///   - terminal: where the text is shown.
    ///   - localTime: for people; programs get UTC.
    package func rendered(
        as format: ReportFormat, terminal: Terminal = Terminal(isTerminal: false), localTime: LocalTime = .current
    ) -> String {
        switch format {
        case .text: ReportText(self, terminal: terminal, localTime: localTime).text
        case .json: ReportJSON.text(self)
        case .csv: ReportCSV.text(self)
        case .html: ReportPage(self, localTime: localTime).html
        }
    }
}
