import Console
import Control
import History
import Reports

extension DaemonCore {
    /// The report on what was heard, in the form that is asked for.
    static func historyRoutes(_ desk: HistoryDesk) -> [ControlRoute] {
        [
            ControlRoute(
                .get, "/v1/history",
                "What was heard, ?since=24h&until=…&format=json, text, csv or html (&columns=, &ascii, &colour for text)"
            ) { request in
                let format = try choice(request)
                let now = desk.now
                let since = try moment("since", request) ?? .ago(seconds: 86_400)
                let until = try moment("until", request)
                do {
                    let report = try await desk.report(
                        since: since.time(before: now), until: until?.time(before: now))
                    let columns = try request.number("columns", in: 20...1000).map(Int.init) ?? 100
                    let terminal = Terminal(
                        isTerminal: false, columns: columns, hasColour: request.isSet("colour"),
                        hasBlocks: !request.isSet("ascii"))
                    return ControlAnswer(
                        mediaType: format.mediaType, fields: ["Cache-Control": "no-store"],
                        body: .text(report.rendered(as: format, terminal: terminal)))
                } catch let error as HistoryError {
                    throw ControlFailure(
                        error.code == .off ? 404 : 503, error.description, whatToDo: "see docs/history.md")
                }
            }
        ]
    }

    private static func choice(_ request: ControlRequest) throws(ControlFailure) -> ReportFormat {
        guard let text = request.query("format") else { return .json }
        guard let format = ReportFormat(rawValue: text) else {
            throw ControlFailure(
                400, "format=\(text) is none",
                whatToDo: "write one of \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }

    private static func moment(_ name: String, _ request: ControlRequest) throws(ControlFailure) -> ReportMoment? {
        guard let text = request.query(name) else { return nil }
        guard let moment = ReportMoment(text) else {
            throw ControlFailure(400, "\(name)=\(text) is no time", whatToDo: "write \(ReportMoment.forms)")
        }
        return moment
    }
}
