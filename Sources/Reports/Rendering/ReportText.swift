import Beacon
import Text

/// A report for a terminal: tables that contain small charts.
struct ReportText: TerminalReport {
    private let report: HistoryReport
    let terminal: Terminal
    private let localTime: LocalTime
    private let labels: BeaconLabels
    let limit: Int

    init(_ report: HistoryReport, terminal: Terminal, localTime: LocalTime) {
        self.report = report
        self.terminal = terminal
        self.localTime = localTime
        labels = report.labels(mark: terminal.hasBlocks ? "…" : "~")
        limit = terminal.limit ?? terminal.columns
    }

    var text: String {
        let warnings = report.warnings.map(lines).joined()
        guard let span = report.spanText(localTime), !report.beacons.isEmpty else {
            return lines(report.nothing(localTime)) + (blind.map { lines("The \($0).") } ?? "")
                + (health.isEmpty ? "" : "\n" + health) + warnings
        }
        let sections = [
            presence, levels, health, hours, regions, transitions, content,
        ].filter { !$0.isEmpty }
        return wrapped(printable(report.title), limit).map { terminal.styled($0, .bold) + "\n" }.joined() + lines(span)
            + lines(figures) + (report.sharedIdentity(labels).map(lines) ?? "") + "\n"
            + sections.joined(separator: "\n") + (warnings.isEmpty ? "" : "\n" + warnings)
    }

    /// A silence means nothing while the scanner was blind.
    private var blind: String? {
        let seconds = report.scanner.blindSeconds
        return seconds > 0 ? "scanner was blind for \(Words.span(seconds))" : nil
    }

    private var figures: String {
        let scanner = report.scanner
        var text =
            (report.isAbout ? "about " : "") + Words.count(report.count, "sighting") + " of "
            + Words.count(report.beacons.count, "beacon")
        if let span = report.span, span.seconds - scanner.recordedSeconds > 60 {
            text += "; recorded for \(Words.span(scanner.recordedSeconds)) of it"
        }
        if let blind { text += "; the \(blind)" }
        return text
    }

    // MARK: - Tables

    private var presence: String {
        let widest = min(44, report.listed.map { displayWidth(labels.full($0.id)) }.max() ?? 0)
        // What remains for the chart when the names have their least width.
        let columns = min(48, max(11, limit - 50 - min(widest, max(12, limit / 4))))
        // One column more, because a series may have one bucket more.
        let factor = max(1, (seriesLength + columns - 2) / columns)
        let per = limit < 60 ? "" : " per " + Words.span(report.bucketSeconds * Double(factor))
        var table = TextTable(
            [.init("BEACON", least: 12, most: 44)] + Self.visitColumns
                + [.init("NEAREST", isNumber: true, rank: 2), .init("PRESENCE" + per, rank: 1)])
        let counts = report.listed.map { folded($0.series.map(\.count), factor) }
        let most = counts.flatMap(\.self).max() ?? 0
        for (beacon, counts) in zip(report.listed, counts) {
            table.add(
                [label(beacon.id)] + visits(beacon.visits)
                    + [
                        .init(Words.share(beacon.nearestShare)),
                        .init(terminal.spark(counts.map(Double.init), most: Double(most))),
                    ])
        }
        return text(table)
    }

    private static let visitColumns: [TextTable.Column] = [
        .init("DWELL", isNumber: true, reserved: 8), .init("VISITS", isNumber: true, rank: 3),
        .init("MEDIAN", isNumber: true, reserved: 7, rank: 4), .init("LONGEST", isNumber: true, reserved: 7, rank: 5),
    ]

    private var levels: String {
        var table = TextTable([
            .init("BEACON", least: 12, most: 44), .init("SIGHTINGS", isNumber: true, rank: 2),
            .init("RSSI dBm 10 50 90 %", isNumber: true, rank: 1), .init("METRES 10 50 90 %", isNumber: true),
        ])
        for beacon in report.listed {
            let rssi = beacon.rssi.map { [$0.p10, $0.median, $0.p90].map { pad("\($0)", 5) }.joined() } ?? "-"
            let distance = beacon.distance.map { distance in
                [distance.p10, distance.median, distance.p90].map { pad(Words.metres($0), 5) }.joined()
            }
            table.add([label(beacon.id), .init("\(beacon.count)"), .init(rssi), .init(distance ?? "-")])
        }
        return text(table)
    }

    private var health: String {
        HealthTable(report.health, labels: labels, localTime: localTime).text(terminal, limit: limit)
    }

    private var hours: String {
        guard let span = report.span, span.seconds >= 2 * 3600 else { return "" }
        let visited = report.listed.filter { $0.visits.byHour.contains { $0 > 0 } }
        var table = TextTable([.init("BEACON", least: 10, most: 44), .init("0     6     12    18", reserved: 24)])
        let most = visited.flatMap(\.visits.byHour).max() ?? 0
        for beacon in visited {
            table.add([
                label(beacon.id), .init(terminal.spark(beacon.visits.byHour.map(Double.init), most: Double(most))),
            ])
        }
        return heading("VISITS BY HOUR, \(report.zone(localTime))") + text(table)
    }

    private var regions: String {
        guard !report.regions.isEmpty else { return "" }
        var table = TextTable([.init("REGION", least: 12, most: 44)] + Self.visitColumns)
        for region in report.regions { table.add([.init(region.name)] + visits(region.visits)) }
        return text(table)
    }

    private var transitions: String {
        ways("FROM THE NEAREST BEACON TO THE NEXT", report.transitions.map { ($0.from, $0.to, $0.count) }) {
            label($0, after: $1)
        }
    }

    private var content: String {
        guard !report.content.beacons.isEmpty || !report.content.site.isEmpty else { return "" }
        var table = TextTable([
            .init("CONTENT", least: 12, most: 44), .init("READY", isNumber: true), .init("FAILED", isNumber: true),
            .init("FETCHED", isNumber: true, reserved: 8, rank: 1),
        ])
        var problems = ""
        for entry in report.content.beacons {
            let name = entry.beacon.map { HistoryReport.fullLabel($0, entry.name) } ?? "uncategorized"
            table.add([
                .init(name, short: entry.beacon.map(labels.short)), .init("\(entry.ready)"), .init("\(entry.failed)"),
                .init(ByteCount.text(entry.fetchedBytes)),
            ])
            if let problem = entry.lastProblem, let time = entry.lastProblemTime {
                problems += told(time, "\(name): \(problem)")
            }
        }
        return (report.content.beacons.isEmpty ? "" : text(table)) + problems
            + report.content.site.map { told($0.time, $0.text ?? "") }.joined()
    }

    // MARK: - Pieces

    /// An event with its time. Further lines continue below the first one's text.
    private func told(_ time: Timestamp, _ what: String) -> String {
        var terminal = terminal
        terminal.limit = limit
        var rows = TextRows(width: 22)
        rows.add("\(localTime.text(time)) \(localTime.zone(at: time))", what)
        return rows.lines(terminal).map { $0 + "\n" }.joined()
    }

    private func label(_ id: BeaconID, after prefix: String = "") -> TextTable.Cell {
        .init(prefix + labels.full(id), short: prefix + labels.short(id))
    }

    private var seriesLength: Int { report.beacons.map(\.series.count).max() ?? 0 }
}
