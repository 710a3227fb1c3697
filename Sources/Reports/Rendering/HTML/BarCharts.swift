import Beacon
import Text

/// How long each beacon was the nearest: one bar per beacon.
struct NearestChart {
    let report: HistoryReport
    let labels: BeaconLabels
    let colours: ReportColours

    private static let mostBeacons = 14

    /// The beacons that were ever the nearest, the longest first.
    var beacons: [BeaconHistory] {
        Array(
            report.beacons.filter { $0.nearest.seconds > 0 }.sorted { $0.nearest.seconds > $1.nearest.seconds }
                .prefix(Self.mostBeacons))
    }

    var html: String {
        let (width, left, row) = (520.0, 170.0, 28.0)
        let most = beacons.first?.nearestShare ?? 1
        let names = shortenedApart(beacons.map { labels.short($0.id) }, 22)
        var body = ""
        for (index, beacon) in beacons.enumerated() {
            let y = row * Double(index)
            let share = beacon.nearestShare ?? 0
            let length = max(2, (width - left - 120) * share / max(most, 0.001))
            body +=
                "<g class=\"\(colours.name(of: beacon.id))\"><text x=\"\(coordinate(left - 10))\" "
                    + "y=\"\(coordinate(y + 18))\" "
                + "text-anchor=\"end\">\(escaped(names[index]))</text>"
                + "<rect class=\"full\" x=\"\(coordinate(left))\" y=\"\(coordinate(y + 5))\" "
                + "width=\"\(coordinate(length))\" height=\"18\" rx=\"3\"/>"
                + "<text class=\"axis\" x=\"\(coordinate(left + length + 8))\" "
                + "y=\"\(coordinate(y + 18))\">\(Words.share(share)), "
                + "\(Words.span(beacon.nearest.seconds))</text></g>\n"
        }
        let detail = beacons.prefix(5).map { "\(labels.full($0.id)): \(Words.share($0.nearestShare))" }.joined(
            separator: "; ")
        return svg(
            "Share of the time for which each beacon was the nearest", detail, width: width,
            height: row * Double(beacons.count) + 4, body)
    }
}

/// When visits began: one row per beacon, one column per hour of the day. A stronger colour means more visits.
struct HourChart {
    let report: HistoryReport
    let labels: BeaconLabels
    let colours: ReportColours

    private static let mostBeacons = 20

    /// The beacons with visits, the longest visited first.
    var beacons: [BeaconHistory] { Array(visited.prefix(Self.mostBeacons)) }

    /// The number of beacons that the chart leaves out.
    var leftOut: Int { max(0, visited.count - Self.mostBeacons) }

    private var visited: [BeaconHistory] { report.beacons.filter { $0.visits.byHour.contains { $0 > 0 } } }

    var html: String {
        let most = Double(beacons.flatMap(\.visits.byHour).max() ?? 1)
        let rows = beacons.map { beacon in
            HourGrid.Row(
                label: labels.short(beacon.id), colour: colours.name(of: beacon.id),
                cells: beacon.visits.byHour.map { (share: Double($0) / most, words: Words.count($0, "visit")) })
        }
        return HourGrid(rows: rows).svg(
            "Visits by hour of the day",
            "A row a beacon, a column an hour of the day; the table of all beacons has the numbers of visits.")
    }
}
