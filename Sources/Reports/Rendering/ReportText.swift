import Beacon
import Console

/// A report for a terminal: tables, with small charts in them.
struct ReportText {
    private let report: HistoryReport
    private let terminal: Terminal
    private let localTime: LocalTime
    private let labels: [BeaconID: String]
    private let width: Int

    /// Lines of a list that has no natural end.
    private static let longestList = 15

    init(_ report: HistoryReport, terminal: Terminal, localTime: LocalTime) {
        self.report = report
        self.terminal = terminal
        self.localTime = localTime
        labels = report.labels
        width = max(6, min(44, labels.values.map(\.count).max() ?? 0))
    }

    var text: String {
        let warnings = report.warnings.map { $0 + "\n" }.joined()
        guard let span = report.spanText(localTime), !report.beacons.isEmpty else {
            let place = report.sources.isEmpty ? "" : " in \(report.sources.joined(separator: ", "))"
            return "No iBeacon was heard\(place).\n" + warnings
        }
        let sections = [
            presence, levels, hours, regions, transitions, content,
        ].filter { !$0.isEmpty }
        return terminal.styled(report.title, .bold) + "\n\(span)\n" + figures + "\n\n"
            + sections.joined(separator: "\n") + (warnings.isEmpty ? "" : "\n" + warnings)
    }

    private var figures: String {
        let scanner = report.scanner
        var text = Words.count(report.count, "sighting") + " of " + Words.count(report.beacons.count, "beacon")
        if let span = report.span, span.seconds - scanner.recordedSeconds > 60 {
            text += "; recorded for \(Words.span(scanner.recordedSeconds)) of it"
        }
        if scanner.blindSeconds > 0 {
            text += "; the scanner was blind for \(Words.span(scanner.blindSeconds))"
        }
        return text
    }

    // MARK: - Tables

    private var presence: String {
        let columns = min(48, max(12, terminal.columns - width - 47))
        let factor = max(1, (seriesLength + columns - 1) / columns)
        let head = "DWELL  VISITS   MEDIAN  LONGEST  NEAREST  PRESENCE per "
            + Words.span(report.bucketSeconds * Double(factor))
        var text = header("BEACON", head)
        let counts = report.beacons.map { folded($0.series.map(\.count), factor) }
        let most = counts.flatMap(\.self).max() ?? 0
        for (beacon, counts) in zip(report.beacons, counts) {
            text += "\(label(beacon.id))  \(visits(beacon.visits))  \(pad(Words.share(beacon.nearestShare), 7))  "
                + "\(spark(counts, most: most))\n"
        }
        return text
    }

    private func visits(_ history: VisitHistory) -> String {
        [
            pad(Words.span(history.seconds), 8), pad("\(history.visits.count)", 6),
            pad(history.medianSeconds.map(Words.span) ?? "-", 7),
            pad(history.longestSeconds.map(Words.span) ?? "-", 7),
        ].joined(separator: "  ")
    }

    private var levels: String {
        var text = header("BEACON", "SIGHTINGS  RSSI dBm (10 50 90 %)  DISTANCE m (10 50 90 %)")
        for beacon in report.beacons {
            let rssi = beacon.rssi.map { [$0.p10, $0.median, $0.p90].map { pad("\($0)", 7) }.joined() } ?? "-"
            let distance = beacon.distance.map { distance in
                [distance.p10, distance.median, distance.p90].map { pad(Words.metres($0), 8) }.joined()
            }
            text += "\(label(beacon.id))  \(pad("\(beacon.count)", 9))  \(pad(rssi, 21))  \(distance ?? "-")\n"
        }
        return text
    }

    private var hours: String {
        guard let span = report.span, span.seconds >= 2 * 3600 else { return "" }
        var text = header("VISITS BY HOUR", "0     6     12    18", width: width)
        let most = report.beacons.flatMap(\.visits.byHour).max() ?? 0
        for beacon in report.beacons where beacon.visits.byHour.contains(where: { $0 > 0 }) {
            text += "\(label(beacon.id))  \(spark(beacon.visits.byHour, most: most))\n"
        }
        return text
    }

    private var regions: String {
        guard !report.regions.isEmpty else { return "" }
        var text = header("REGION", "DWELL  VISITS   MEDIAN  LONGEST")
        for region in report.regions { text += "\(cut(region.name))  \(visits(region.visits))\n" }
        return text
    }

    private var transitions: String {
        guard !report.transitions.isEmpty else { return "" }
        let most = report.transitions[0].count
        var text = terminal.styled("FROM THE NEAREST BEACON TO THE NEXT", .dim) + "\n"
        let arrow = terminal.hasBlocks ? "→" : "->"
        for transition in report.transitions.prefix(Self.longestList) {
            text += "\(label(transition.from)) \(arrow) \(label(transition.to))  \(pad("\(transition.count)", 5))  "
                + bar(Double(transition.count) / Double(most)) + "\n"
        }
        return text + rest(report.transitions.count)
    }

    private var content: String {
        guard !report.content.beacons.isEmpty || !report.content.site.isEmpty else { return "" }
        var text = header("CONTENT", "READY  FAILED   FETCHED")
        for entry in report.content.beacons {
            let name = entry.beacon.map { BeaconHistory.label($0, entry.name) } ?? "uncategorized"
            text += "\(cut(name))  \(pad("\(entry.ready)", 5))  \(pad("\(entry.failed)", 6))  "
                + "\(pad(ByteCount.text(entry.fetchedBytes), 8))\n"
            if let problem = entry.lastProblem, let time = entry.lastProblemTime {
                text += "  \(localTime.text(time)) \(printable(problem))\n"
            }
        }
        for result in report.content.site {
            text += "\(localTime.text(result.time))  \(printable(result.text ?? ""))\n"
        }
        return text
    }

    // MARK: - Pieces

    private func header(_ first: String, _ rest: String, width: Int? = nil) -> String {
        // The first column of numbers is eight wide.
        let gap = rest.hasPrefix("DWELL") ? "   " : ""
        return terminal.styled("\(pad(first, -(width ?? self.width)))  \(gap)\(rest)", .dim) + "\n"
    }

    private func rest(_ count: Int) -> String {
        count > Self.longestList ? "and \(count - Self.longestList) more, which the other formats have\n" : ""
    }

    private func label(_ id: BeaconID) -> String {
        cut(labels[id] ?? BeaconHistory.label(id, nil))
    }

    private func cut(_ text: String) -> String {
        let text = printable(text)
        return pad(shortened(text, width, mark: terminal.hasBlocks ? "…" : "~"), -width)
    }

    private var seriesLength: Int { report.beacons.map(\.series.count).max() ?? 0 }

    private func folded(_ counts: [Int], _ factor: Int) -> [Int] {
        stride(from: 0, to: counts.count, by: factor).map { counts[$0..<min($0 + factor, counts.count)].reduce(0, +) }
    }

    private func spark(_ counts: [Int], most: Int) -> String {
        let steps = Array(terminal.hasBlocks ? " ▁▂▃▄▅▆▇█" : " .:-=+*#@")
        return String(
            counts.map { count in
                guard count > 0, most > 0 else { return steps[0] }
                return steps[1 + count * (steps.count - 2) / most]
            })
    }

    private func bar(_ share: Double) -> String {
        String(repeating: terminal.hasBlocks ? "█" : "#", count: max(1, Int((share * 20).rounded())))
    }
}
