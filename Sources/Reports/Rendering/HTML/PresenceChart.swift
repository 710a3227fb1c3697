import Beacon
import Text

/// One row per beacon: when it was present, when it was the nearest, and when this is unknown.
struct PresenceChart {
    let report: HistoryReport
    let beacons: [BeaconHistory]
    let labels: BeaconLabels
    let span: ClosedRange<Timestamp>
    let localTime: LocalTime
    let colours: ReportColours

    private static let width = 1080.0
    private static let left = 190.0
    private static let row = 22.0
    private static let top = 8.0

    var html: String {
        let axis = TimeAxis(span: span, localTime: localTime, left: Self.left, right: Self.width - 8)
        let bottom = Self.top + Self.row * Double(beacons.count)
        let names = shortenedApart(beacons.map { labels.short($0.id) }, 26)
        var body = axis.grid(top: Self.top, bottom: bottom, most: 12)
        body += shade(gaps(in: report.scanner.recording), "off", axis, bottom, "not recorded")
        body += shade(report.scanner.blind, "blind", axis, bottom, "the scanner was blind")
        for (index, beacon) in beacons.enumerated() {
            let y = Self.top + Self.row * Double(index)
            let colour = colours.name(of: beacon.id)
            let visits = beacon.visits
            let words =
                "\(labels.full(beacon.id)): \(Words.count(visits.visits.count, "visit")), \(Words.span(visits.seconds))"
                + (beacon.nearest.visits.isEmpty ? "" : ", nearest for \(Words.span(beacon.nearest.seconds))")
            body += "<g class=\"\(colour)\"><title>\(escaped(words))</title>"
                + "<rect class=\"row\" x=\"0\" y=\"\(coordinate(y))\" width=\"\(coordinate(Self.width))\" "
                + "height=\"\(coordinate(Self.row))\"/>"
                + "<text x=\"\(coordinate(Self.left - 10))\" y=\"\(coordinate(y + 15))\" text-anchor=\"end\">"
                + "\(escaped(names[index]))</text>"
                + "<path class=\"faint\" d=\"\(axis.bars(visits.visits, top: y + 6, height: Self.row - 12))\"/>"
                + "<path class=\"full\" d=\"\(axis.bars(beacon.nearest.visits, top: y + 4, height: Self.row - 8))\"/>"
                + "</g>\n"
        }
        let detail = "A row for each of \(beacons.count) beacons, from \(localTime.text(span.lowerBound)) to "
            + "\(localTime.text(span.upperBound)) \(localTime.zone(at: span.upperBound)); the numbers are in the "
            + "table at the end."
        return svg("Presence over time", detail, width: Self.width, height: bottom + 24, classes: "wide", body)
    }

    private func shade(
        _ spans: [ClosedRange<Timestamp>], _ name: String, _ axis: TimeAxis, _ bottom: Double, _ words: String
    ) -> String {
        guard !spans.isEmpty else { return "" }
        return "<path class=\"\(name)\" d=\"\(axis.bars(spans, top: Self.top, height: bottom - Self.top))\">"
            + "<title>\(words) for \(Words.span(spans.seconds))</title></path>\n"
    }

    /// The times between recordings.
    private func gaps(in recording: [ClosedRange<Timestamp>]) -> [ClosedRange<Timestamp>] {
        var gaps: [ClosedRange<Timestamp>] = []
        var end = span.lowerBound
        for piece in recording {
            // A restart takes seconds and is not shown as a gap.
            if piece.lowerBound.elapsed(since: end) > max(5, span.seconds / 1000) {
                gaps.append(end...piece.lowerBound)
            }
            end = max(end, piece.upperBound)
        }
        if span.upperBound.elapsed(since: end) > max(5, span.seconds / 1000) { gaps.append(end...span.upperBound) }
        return gaps
    }
}
