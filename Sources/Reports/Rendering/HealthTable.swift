import Beacon
import Health
import Text

/// The problems of beacons, as every report shows them.
struct HealthTable {
    private let problems: [ReportedProblem]
    private let labels: BeaconLabels
    private let localTime: LocalTime

    /// The most rows that a page shows without unfolding.
    private static let mostOpen = 20

    init(_ problems: [ReportedProblem], labels: BeaconLabels, localTime: LocalTime) {
        self.problems = problems
        self.labels = labels
        self.localTime = localTime
    }

    private static func lasted(_ problem: ReportedProblem) -> String {
        Words.span(problem.seconds) + (problem.isLasting ? ", still" : "")
    }

    // MARK: - For a terminal

    /// - Parameter limit: the greatest width of a line in columns.
    func text(_ terminal: Terminal, limit: Int) -> String {
        guard let last = problems.first?.since else { return "" }
        var table = TextTable([
            .init("HEALTH", least: 12, most: 44), .init("PROBLEM"),
            .init("SINCE (\(localTime.zone(at: last)))", rank: 2),
            .init("LASTED", rank: 1), .init("EVIDENCE", least: 20, rank: 3, cut: .end),
        ])
        for problem in problems.prefix(Words.longestList) {
            table.add([
                .init(labels.full(problem.beacon), short: labels.short(problem.beacon)),
                .init(problem.problem.kind.rawValue, style: problem.isLasting ? .yellow : nil),
                .init(localTime.text(problem.since)), .init(Self.lasted(problem)), .init(problem.problem.evidence),
            ])
        }
        var lines = table.lines(terminal, limit: limit)
        let more = problems.count - Words.longestList
        if more > 0 { lines += wrapped(Words.leftOut(more), limit) }
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: - For a browser

    /// How many beacons have a problem at the end of the report; nil if there was no problem.
    var tile: ReportTile? {
        guard !problems.isEmpty else { return nil }
        let count = Set(problems.filter(\.isLasting).map(\.beacon)).count
        return ("\(count)", count == 1 ? "beacon with a problem" : "beacons with a problem", count > 0)
    }

    /// A section of a page; empty if there was no problem.
    func section(_ zone: String) -> String {
        guard !problems.isEmpty else { return "" }
        var table = HTMLTable(
            caption: "Problems, the newest first",
            columns: ["Beacon", "Problem", "Since (\(zone))", "Lasted", "Evidence"], texts: [0, 1, 2, 3, 4])
        table.rows = problems.map { problem in
            [
                labels.full(problem.beacon), problem.problem.kind.rawValue, localTime.text(problem.since),
                Self.lasted(problem), problem.problem.evidence,
            ]
        }
        let html = table.html(open: Self.mostOpen) { "and \(Words.count($0, "more problem"))" }
        return reportSection("Health", "What was wrong with which beacon, and why that was believed.", html)
    }
}

extension JSONText {
    /// The problems of beacons.
    mutating func health(_ problems: [ReportedProblem]) {
        array("health") { json in
            for problem in problems {
                json.object { json in
                    json.identity(problem.beacon, name: problem.name)
                    json.value("problem", problem.problem.kind.rawValue)
                    json.value("since", problem.since.rfc3339)
                    json.value("until", problem.isLasting ? nil : problem.last.rfc3339)
                    json.value("seconds", problem.seconds, digits: 0)
                    json.value("evidence", problem.problem.evidence)
                }
            }
        }
    }
}
