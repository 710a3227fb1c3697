import Beacon
import Text

/// How long each beacon was the nearest: one bar per beacon.
struct NearestChart {
    let report: HistoryReport
    let labels: BeaconLabels
    let colours: ReportColours

    private static let mostBeacons = 14

    /// All that were ever the nearest, the longest first.
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
        let (width, left, row, top) = (1080.0, 190.0, 22.0, 20.0)
        let cell = (width - left - 8) / 24
        let most = Double(beacons.flatMap(\.visits.byHour).max() ?? 1)
        let names = shortenedApart(beacons.map { labels.short($0.id) }, 26)
        var body = ""
        for hour in stride(from: 0, through: 23, by: 1) {
            body +=
                "<text class=\"axis\" x=\"\(coordinate(left + cell * (Double(hour) + 0.5)))\" y=\"12\" "
                    + "text-anchor=\"middle\">\(hour)</text>\n"
        }
        for (index, beacon) in beacons.enumerated() {
            let y = top + row * Double(index)
            body +=
                "<g class=\"\(colours.name(of: beacon.id))\"><text x=\"\(coordinate(left - 10))\" "
                    + "y=\"\(coordinate(y + 15))\" text-anchor=\"end\">"
                + "\(escaped(names[index]))</text>"
            for (hour, count) in beacon.visits.byHour.enumerated() {
                let opacity = count == 0 ? 0.05 : 0.18 + 0.82 * Double(count) / most
                let x = left + cell * Double(hour)
                body +=
                    "<rect class=\"full\" fill-opacity=\"\(fixed(opacity, digits: 2))\" x=\"\(coordinate(x + 1))\" "
                        + "y=\"\(coordinate(y + 1))\" "
                    + "width=\"\(coordinate(cell - 2))\" height=\"\(coordinate(row - 2))\" rx=\"2\"><title>\(hour) to "
                    + "\(hour + 1) h: "
                    + "\(Words.count(count, "visit"))</title></rect>"
            }
            body += "</g>\n"
        }
        let detail = "A row a beacon, a column an hour of the day; the table of all beacons has the numbers of visits."
        return svg(
            "Visits by hour of the day", detail, width: width, height: top + row * Double(beacons.count) + 4,
            classes: "wide", body)
    }
}
