import Beacon
import Console
import Control
import History
import Reports
import Serving
import Text

extension DaemonCore {
    /// The routes for reports on the history.
    static func historyRoutes(_ history: HistoryBuffer) -> [ControlRoute] {
        let reports = SharedAnswer<Question>(WorkQueue("reports", maximumWaiting: 8), mayAge: true)
        return [
            ControlRoute(
                .get, "/v1/history",
                "What was heard, ?since=24h&until=…&format=json, text, csv or html, &beacon= "
                    + "(&columns=, &ascii, &colour for text)"
            ) { request in
                let question = Question(
                    format: try choice(request), since: try moment("since", request),
                    until: try moment("until", request), filter: try request.beacons(),
                    columns: try request.number("columns", in: 20...1000).map(Int.init) ?? 100,
                    hasColour: try request.isSet("colour"), hasBlocks: try !request.isSet("ascii"))
                let window = try question.window(now: history.now)
                do {
                    let body = try await reports.body(for: question) { interest in
                        SharedBody(try question.answer(history, window, interest))
                    }
                    return .shared(body, mediaType: question.format.mediaType, fields: fields)
                } catch let error as BeaconQuery.Failure {
                    throw Refusal(notFound: error)
                } catch let error as HistoryError {
                    throw Refusal(error.code == .off ? 404 : 503, error, remedy: "see docs/history.md")
                }
            }.asking(
                .since, .until, .beacon, .format(ReportFormat.allCases.map(\.rawValue)), .columns,
                .flag("ascii", "Without block characters."), .flag("colour", "With colours of a terminal.")
            ).giving(ReportFormat.allCases.map { .init($0.mediaType, $0 == .json ? .ref("Report") : nil) })
        ]
    }

    private struct Question: Hashable {
        var format: ReportFormat
        var since: ReportMoment?
        var until: ReportMoment?
        var filter: BeaconFilter
        var columns: Int
        var hasColour: Bool
        var hasBlocks: Bool

        /// This may take seconds.
        func answer(_ history: HistoryBuffer, _ window: ReportWindow, _ interest: WorkInterest) throws -> String {
            let report = try WorkQueue.wait(interest) {
                try await history.report(since: window.since, until: window.until)
            }.only(filter)
            try interest.check()
            let terminal = Terminal(isTerminal: false, columns: columns, hasColour: hasColour, hasBlocks: hasBlocks)
            return report.rendered(as: format, terminal: terminal)
        }

        func window(now: Timestamp) throws(Refusal) -> ReportWindow {
            do {
                return try ReportWindow(since: since, until: until, now: now)
            } catch {
                throw Refusal(400, error)
            }
        }
    }

    /// The page contains the same policy, but browsers apply that one only to what follows it.
    private static let fields = [
        "Content-Security-Policy":
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ]

    private static func choice(_ request: ControlRequest) throws(Refusal) -> ReportFormat {
        guard let text = request.query("format") else { return .json }
        guard let format = ReportFormat(rawValue: text) else {
            throw Refusal(
                400, "format=\(text) is no format of reports",
                whatToDo: "write one of \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }

    private static func moment(_ name: String, _ request: ControlRequest) throws(Refusal) -> ReportMoment? {
        guard let text = request.time(name) else { return nil }
        guard let moment = ReportMoment(text) else {
            throw Refusal(400, "\(name)=\(text) is no time", whatToDo: "write \(ReportMoment.forms)")
        }
        return moment
    }
}
