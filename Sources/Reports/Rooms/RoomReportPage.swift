import Beacon
import Text

/// The report as a page that loads nothing else.
struct RoomReportPage {
    private let report: RoomReport
    private let localTime: LocalTime
    private let labels: BeaconLabels
    /// The names of rooms and beacons, shortened to fit into a table and still different from each other.
    private let rooms: [ReportedRoom: String]
    private let beacons: [BeaconID: String]
    /// The colour of a room follows from its place in the order of dwell.
    private let colours: [ReportedRoom: String]

    /// The most rows that are visible without unfolding.
    private static let mostOpen = 20
    /// The most rows in a table of rooms or of ways, and of beacons in rooms.
    private static let mostRows = 500
    private static let mostPlaces = 2000
    private static let widestName = 44

    init(_ report: RoomReport, localTime: LocalTime) {
        self.report = report
        self.localTime = localTime
        let labels = report.labels()
        self.labels = labels
        rooms = Dictionary(
            zip(report.rooms.map(\.room), shortenedApart(report.rooms.map { report.label($0.room) }, Self.widestName)),
            uniquingKeysWith: { first, _ in first })
        beacons = Dictionary(
            zip(report.beacons.map(\.id), shortenedApart(report.beacons.map { labels.full($0.id) }, Self.widestName)),
            uniquingKeysWith: { first, _ in first })
        colours = Dictionary(
            report.rooms.enumerated().map { ($1.room, "c\($0 % ReportColours.count)") },
            uniquingKeysWith: { first, _ in first })
    }

    var html: String {
        let zone = localTime.zone(at: report.span.upperBound)
        let health = health.section(zone)
        let body =
            report.rooms.isEmpty
            ? health : tiles + whereabouts(zone) + roomTable + hours(zone) + ways + health + numbers(zone)
        return reportPage(
            "Beacons by room", report.rooms.isEmpty ? report.nothing(localTime) : report.spanText(localTime), body,
            footer: (report.warnings + ["Times are \(zone)."]).joined(separator: " ")
                + " Made by beacon-fleet \(SoftwareVersion.text).")
    }

    private var tiles: String {
        func number(_ value: Int) -> String { Words.grouped(value, separator: "\u{202F}") }
        return reportTiles(([
            (number(report.beacons.count), "beacons", false), (number(report.rooms.count), "rooms", false),
            (number(report.rooms.reduce(0) { $0 + $1.visits.visits.count }), "visits", false),
            (number(report.transitions.reduce(0) { $0 + $1.count }), "ways from room to room", false), health.tile,
        ] as [ReportTile?]).compactMap(\.self))
    }

    private var health: HealthTable { HealthTable(report.health, labels: labels, localTime: localTime) }

    private func name(of room: ReportedRoom) -> String { rooms[room] ?? room.name }

    // MARK: - Charts

    /// A row for each beacon, in the colours of the rooms.
    private func whereabouts(_ zone: String) -> String {
        let key = report.rooms.prefix(ReportColours.count).map { room in
            "<li class=\"\(colours[room.room] ?? "c0")\"><svg viewBox=\"0 0 22 10\" width=\"22\" height=\"10\" "
                + "aria-hidden=\"true\" style=\"display:inline-block;width:22px;margin-right:6px\">"
                + "<rect class=\"full\" width=\"22\" height=\"10\" rx=\"2\"/></svg>\(escaped(name(of: room.room)))</li>"
        }.joined()
        let rest = report.beacons.prefix(Words.mostBeacons).dropFirst(Self.mostOpen)
        return reportSection(
            "Where each beacon was",
            "In the colour of the room; nothing is drawn where no room was known. Times are "
                + "\(escaped(zone)).",
            "<ul class=\"key\">\(key)</ul>\n" + panned(chart(report.beacons.prefix(Self.mostOpen)))
                + (rest.isEmpty ? "" : folded("and \(Words.count(rest.count, "more beacon"))", panned(chart(rest)))))
    }

    private func chart(_ beacons: ArraySlice<RoomReport.Inhabitant>) -> String {
        let (width, left, row, top) = (1080.0, 190.0, 22.0, 8.0)
        let axis = TimeAxis(span: report.span, localTime: localTime, left: left, right: width - 8)
        let bottom = top + row * Double(beacons.count)
        let names = shortenedApart(beacons.map { labels.short($0.id) }, 26)
        var body = axis.grid(top: top, bottom: bottom, most: 12)
        for (index, beacon) in beacons.enumerated() {
            let y = top + row * Double(index)
            let words = beacon.rooms.prefix(5).map { "\(name(of: $0.room)) \(Words.span($0.visits.seconds))" }
            body +=
                "<g><title>\(escaped("\(labels.full(beacon.id)): \(words.joined(separator: ", "))"))</title>"
                + "<rect class=\"row\" x=\"0\" y=\"\(coordinate(y))\" width=\"\(coordinate(width))\" "
                + "height=\"\(coordinate(row))\"/><text x=\"\(coordinate(left - 10))\" y=\"\(coordinate(y + 15))\" "
                + "text-anchor=\"end\">\(escaped(names[index]))</text>"
            for (room, visits) in beacon.rooms {
                let bars = axis.bars(visits.visits, top: y + 4, height: row - 8)
                body += "<g class=\"\(colours[room] ?? "c0")\"><path class=\"full\" d=\"\(bars)\"/></g>"
            }
            body += "</g>\n"
        }
        return svg(
            "Where each beacon was", "A row for each of \(beacons.count) beacons; the numbers are in the tables.",
            width: width, height: bottom + 24, classes: "wide", body)
    }

    private func hours(_ zone: String) -> String {
        guard report.span.seconds >= 2 * 3600 else { return "" }
        let rooms = report.rooms.prefix(Self.mostOpen)
        let part = rooms.count < report.rooms.count ? "The \(rooms.count) rooms with the longest dwell." : nil
        let most = rooms.flatMap(\.secondsByHour).max() ?? 1
        let grid = HourGrid(
            rows: rooms.map { room in
                HourGrid.Row(
                    label: name(of: room.room), colour: colours[room.room] ?? "c0",
                    cells: room.secondsByHour.map { (share: most > 0 ? $0 / most : 0, words: Words.span($0)) })
            })
        return reportSection(
            "Dwell by hour",
            Self.sentences(
                "How long beacons were in each room, by the hour of the day (\(escaped(zone))): the stronger the "
                    + "colour, the longer.", part),
            panned(grid.svg("Dwell by hour of the day", "A row a room, a column an hour of the day.")))
    }

    // MARK: - Tables

    private var roomTable: String {
        var table = HTMLTable(
            caption: "Of all beacons together",
            columns: ["Room", "Floor", "Dwell", "Visits", "Median", "Longest", "Beacons"])
        table.rows = report.rooms.prefix(Self.mostRows).map {
            [name(of: $0.room), "\($0.room.floor)"] + visitCells($0.visits) + ["\($0.beacons)"]
        }
        let rest = Words.unlisted(
            report.rooms.count - Self.mostRows, "room with a shorter dwell is", "rooms with a shorter dwell are")
        return reportSection("Rooms", Self.sentences("The longest dwell first.", rest), table.html)
    }

    private var ways: String {
        guard !report.transitions.isEmpty else { return "" }
        var table = HTMLTable(caption: "The most frequent first", columns: ["From", "To", "Times"], texts: [0, 1])
        table.rows = report.transitions.prefix(Self.mostRows).map {
            [name(of: $0.from), name(of: $0.to), "\($0.count)"]
        }
        let rest = Words.unlisted(
            report.transitions.count - Self.mostRows, "less frequent way is", "less frequent ways are", in: "JSON has")
        return reportSection(
            "From room to room",
            Self.sentences("How often beacons went from one room to another within a minute.", rest),
            table.html(open: Self.mostOpen) { "and \($0) more" })
    }

    private func numbers(_ zone: String) -> String {
        var table = HTMLTable(
            caption: "The same in numbers",
            columns: ["Beacon", "Room", "Dwell", "Visits", "Median", "Longest", "First (\(zone))", "Last"],
            texts: [0, 1])
        let rows = report.beacons.prefix(Words.mostBeacons).flatMap { beacon in
            beacon.rooms.map { room, visits in
                [beacons[beacon.id] ?? "", name(of: room)] + visitCells(visits)
                    + [
                        visits.visits.first.map { localTime.text($0.lowerBound) } ?? "–",
                        visits.visits.last.map { localTime.text($0.upperBound) } ?? "–",
                    ]
            }
        }
        table.rows = Array(rows.prefix(Self.mostPlaces))
        let html = table.html(open: Self.mostOpen) { "and \($0) more" }
        let rest = Words.unlisted(rows.count - Self.mostPlaces, "further row is", "further rows are")
        return reportSection("All beacons", Self.sentences("Each beacon in each room.", rest), html)
    }

    private static func sentences(_ first: String, _ second: String?) -> String {
        second.map { "\(first) \($0)" } ?? first
    }
}
