import Beacon
import Text

/// A report as a page that loads nothing else. It can be mailed, printed and read aloud by a screen reader.
struct ReportPage {
    private let report: HistoryReport
    private let localTime: LocalTime
    private let labels: BeaconLabels
    private let colours: ReportColours

    init(_ report: HistoryReport, localTime: LocalTime) {
        self.report = report
        self.localTime = localTime
        labels = report.labels()
        colours = ReportColours(report)
    }

    var html: String {
        var body = ""
        if !report.beacons.isEmpty { body += tiles }
        if let span = report.span, !report.beacons.isEmpty {
            body += presence(span) + movement + hours + levels(span) + regions
        }
        body += health.section(zone) + content + scanner + numbers
        return reportPage(heading, introduction, body, footer: footer)
    }

    private var heading: String {
        report.sources.isEmpty ? "Beacons in range" : "Beacons in range of \(report.sources.joined(separator: ", "))"
    }

    private var introduction: String {
        guard let span = report.spanText(localTime), !report.beacons.isEmpty else { return report.nothing(localTime) }
        return [span, report.sharedIdentity(labels)].compactMap { $0 }.joined(separator: ". ")
    }

    private var footer: String {
        (report.warnings + ["Times are \(zone)."]).joined(separator: " ") + " Made by beacond \(SoftwareVersion.text)."
    }

    private var zone: String { report.zone(localTime) }

    private var health: HealthTable { HealthTable(report.health, labels: labels, localTime: localTime) }

    /// The most beacons that are visible without unfolding: rows in a chart, and (below) beacons with their own
    /// charts.
    private static let mostOpen = 20
    private static let mostCharts = 6
    /// The most rows in the tables of ways and of times at which the scanner was blind.
    private static let mostWays = 200
    private static let mostBlind = 50

    // MARK: - Sections

    private var tiles: String {
        let visits = report.beacons.reduce(0) { $0 + $1.visits.visits.count }
        let fetched = report.content.beacons.reduce(0) { $0 + $1.fetchedBytes }
        var tiles: [(String, String, Bool)] = [
            (Words.grouped(report.beacons.count, separator: "\u{202F}"), "beacons heard", false),
            (
                Words.grouped(report.count, separator: "\u{202F}"), report.isAbout ? "sightings, about" : "sightings",
                false
            ),
            (Words.grouped(visits, separator: "\u{202F}"), "visits", false),
            (
                Words.grouped(report.transitions.reduce(0) { $0 + $1.count }, separator: "\u{202F}"),
                "changes of the nearest", false
            ),
            (Words.span(report.scanner.recordedSeconds), "recorded", false),
            (Words.span(report.scanner.blindSeconds), "scanner blind", report.scanner.blindSeconds > 0),
        ]
        if let tile = health.tile { tiles.append(tile) }
        if !report.content.beacons.isEmpty {
            let failed = report.content.beacons.reduce(0) { $0 + $1.failed }
            tiles.append((ByteCount.text(fetched), "of content fetched", false))
            if failed > 0 { tiles.append(("\(failed)", "syncs failed", true)) }
        }
        return reportTiles(tiles)
    }

    private func presence(_ span: ClosedRange<Timestamp>) -> String {
        var key = "<li><i class=\"n\"></i>nearest</li><li><i class=\"p\"></i>in range</li>"
        if report.scanner.blindSeconds > 0 { key += "<li><i class=\"b\"></i>scanner blind: not known</li>" }
        if span.seconds - report.scanner.recordedSeconds > 60 { key += "<li><i class=\"o\"></i>not recorded</li>" }
        func chart(_ beacons: some Sequence<BeaconHistory>) -> String {
            panned(
                PresenceChart(
                    report: report, beacons: Array(beacons), labels: labels, span: span, localTime: localTime,
                    colours: colours
                ).html)
        }
        let rest = report.listed.dropFirst(Self.mostOpen)
        return reportSection(
            "Presence", "When each beacon was in range, and when it was the nearest. Times are \(escaped(zone)).",
            "<ul class=\"key\">\(key)</ul>\n" + chart(report.beacons.prefix(Self.mostOpen))
                + (rest.isEmpty ? "" : folded("and \(Words.count(rest.count, "more beacon"))", chart(rest))))
    }

    private var movement: String {
        let nearest = NearestChart(report: report, labels: labels, colours: colours)
        guard !nearest.beacons.isEmpty else { return "" }
        let ways = TransitionChart(report: report, labels: labels, colours: colours)
        var html = "<div class=\"two\">\n<div>\(nearest.html)</div>\n<div>"
        if report.transitions.isEmpty {
            html += "<p>The nearest beacon never changed to another.</p>"
        } else {
            html += ways.html
        }
        html += "</div>\n</div>\n"
        if !report.transitions.isEmpty {
            var table = HTMLTable(
                caption: "Ways, the most frequent first", columns: ["From", "To", "Times"], texts: [0, 1])
            table.rows = report.transitions.prefix(Self.mostWays).map {
                [labels.full($0.from), labels.full($0.to), "\($0.count)"]
            }
            html += folded("Ways as a table", table.html)
        }
        let leftOut =
            ways.leftOut > 0
            ? " The \(TransitionChart.mostWays) most frequent of \(report.transitions.count) ways are drawn; the "
                + "table has "
                + (report.transitions.count > Self.mostWays ? "\(Self.mostWays) of them." : "all.") : ""
        return reportSection(
            "Nearest, and the ways between",
            "For how long each beacon was the nearest, and which came after which: lines have the colour of where "
                + "they begin, and are the wider the more often.\(leftOut)", html)
    }

    private var hours: String {
        guard let span = report.span, span.seconds >= 2 * 3600 else { return "" }
        let chart = HourChart(report: report, labels: labels, colours: colours)
        guard !chart.beacons.isEmpty else { return "" }
        return reportSection(
            "Visits by hour",
            "When visits began, by the hour of the day (\(escaped(zone))): the stronger the colour, the more."
                + (chart.leftOut > 0 ? " The \(chart.beacons.count) beacons with the longest dwell." : ""),
            panned(chart.html))
    }

    private func levels(_ span: ClosedRange<Timestamp>) -> String {
        let axis = TimeAxis(span: span, localTime: localTime, left: SeriesChart.left, right: SeriesChart.right)
        let begin = report.seriesBegin ?? span.lowerBound
        let heard = report.listed.filter { $0.rssi != nil }
        // All beacons have the same scale, so that they can be compared.
        let level = SeriesScale(heard.flatMap { $0.series.map(\.levelValues) }, least: -90 ... -60)
        let distance = SeriesScale(heard.flatMap { $0.series.map(\.distance) }, least: 1...8, isLogarithmic: true)
        func charts(_ beacon: BeaconHistory) -> String {
            let label = labels.short(beacon.id)
            return "<div class=\"two\">"
                + SeriesChart(
                    values: beacon.series.map(\.levelValues), title: "Level of \(label)", detail: summary(beacon),
                    unit: "dBm", scale: level, axis: axis, begin: begin, bucketSeconds: report.bucketSeconds
                ).html
                + SeriesChart(
                    values: beacon.series.map(\.distance), title: "Distance of \(label)", detail: summary(beacon),
                    unit: "m", scale: distance, axis: axis, begin: begin, bucketSeconds: report.bucketSeconds
                ).html + "</div>"
        }
        var html = ""
        for beacon in heard.prefix(Self.mostCharts) {
            html +=
                "<div class=\"beacon \(colours.name(of: beacon.id))\"><h3>\(escaped(labels.full(beacon.id)))</h3>\n"
                + "<p>\(escaped(summary(beacon)))</p>\n\(charts(beacon))</div>\n"
        }
        let rest = heard.dropFirst(Self.mostCharts)
        if !rest.isEmpty {
            html += folded(
                "and \(Words.count(rest.count, "more beacon"))",
                rest.map { beacon in
                    "<div class=\"\(colours.name(of: beacon.id))\">"
                        + folded("\(labels.full(beacon.id)): \(summary(beacon))", charts(beacon)) + "</div>\n"
                }.joined())
        }
        return reportSection(
            "Level and distance",
            "A value every \(Words.span(report.bucketSeconds)), on the same scales for all beacons. Level in dBm: the "
                + "line is "
                + "the median of the readings, the band holds 8 of 10. Distance in metres, the nearest on top: the "
                + "band holds the true distance in 8 of 10 cases. Times are \(escaped(zone)).",
            html)
    }

    private func summary(_ beacon: BeaconHistory) -> String {
        var parts = [Words.count(beacon.count, "sighting")]
        if let rssi = beacon.rssi { parts.append("\(rssi.median) dBm (\(rssi.p10) to \(rssi.p90))") }
        if let distance = beacon.distance {
            parts.append(
                "\(Words.metres(distance.median)) m (\(Words.metres(distance.p10)) to \(Words.metres(distance.p90)))")
        }
        if let share = beacon.nearestShare, share > 0 { parts.append("nearest \(Words.share(share)) of the time") }
        return parts.joined(separator: " · ")
    }

    private var regions: String {
        guard !report.regions.isEmpty else { return "" }
        var table = HTMLTable(caption: "", columns: ["Region", "Time inside", "Visits", "Median", "Longest"])
        table.rows = report.regions.map { [$0.name] + visitCells($0.visits) }
        return reportSection("Regions", "Places that are known by their beacons.", table.html)
    }

    private var content: String {
        guard !report.content.beacons.isEmpty || !report.content.site.isEmpty else { return "" }
        var html = ""
        if !report.content.beacons.isEmpty {
            var table = HTMLTable(
                caption: "Syncs by beacon",
                columns: ["Beacon", "Complete", "Nothing there", "Failed", "Fetched", "Last problem"],
                texts: [0, 5])
            table.rows = report.content.beacons.map { entry in
                [
                    entry.beacon.map { HistoryReport.fullLabel($0, entry.name) } ?? "uncategorized", "\(entry.ready)",
                    "\(entry.nothing)", "\(entry.failed)", ByteCount.text(entry.fetchedBytes),
                    entry.lastProblem.map { problem in
                        (entry.lastProblemTime.map { localTime.text($0) + ": " } ?? "") + problem
                    } ?? "",
                ]
            }
            html += table.html
        }
        if !report.content.site.isEmpty {
            var table = HTMLTable(
                caption: "What came of the site's list, at last", columns: ["Time (\(zone))", "What"], texts: [0, 1])
            table.rows = report.content.site.map { [localTime.text($0.time), $0.text ?? ""] }
            html += table.html
        }
        return reportSection("Content", "What came of fetching it.", html)
    }

    private var scanner: String {
        guard !report.scanner.blind.isEmpty else { return "" }
        var table = HTMLTable(caption: "", columns: ["From (\(zone))", "To", "For"], texts: [0, 1])
        table.rows = report.scanner.blind.suffix(Self.mostBlind).map {
            [
                localTime.text($0.lowerBound, seconds: true), localTime.text($0.upperBound, seconds: true),
                Words.span($0.seconds),
            ]
        }
        let count = report.scanner.blind.count
        let more = count > Self.mostBlind ? " These are the last \(Self.mostBlind) of \(count)." : ""
        return reportSection(
            "Scanner blind",
            "Times at which nothing could be heard, so that silence meant nothing: no beacon left in them, and they "
                + "count neither as in range nor as nearest.\(more)",
            table.html)
    }

    private var numbers: String {
        guard !report.beacons.isEmpty else { return "" }
        var table = HTMLTable(
            caption: "Dwell, visits, levels and distances of every beacon",
            columns: [
                "Beacon", "In range", "Visits", "Median", "Longest", "Nearest", "Sightings", "dBm 10 %", "50 %", "90 %",
                "m 10 %", "50 %", "90 %", "First (\(zone))", "Last",
            ])
        table.rows = report.listed.map { beacon in
            let levels: [String] = beacon.rssi.map { ["\($0.p10)", "\($0.median)", "\($0.p90)"] } ?? ["–", "–", "–"]
            let distances: [String] =
                beacon.distance.map { [$0.p10, $0.median, $0.p90].map(Words.metres) } ?? ["–", "–", "–"]
            return [labels.full(beacon.id)] + visitCells(beacon.visits)
                + [Words.share(beacon.nearestShare), Words.grouped(beacon.count, separator: "\u{202F}")] + levels
                + distances + [localTime.text(beacon.firstSeen), localTime.text(beacon.lastSeen)]
        }
        let html = table.html(open: Self.mostOpen) { "and \(Words.count($0, "more beacon"))" }
        return reportSection("All beacons", "The same in numbers.", html)
    }
}
