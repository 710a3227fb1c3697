import Beacon
import Text

/// The report for a terminal.
struct RoomReportText: TerminalReport {
    private let report: RoomReport
    let terminal: Terminal
    private let localTime: LocalTime
    private let labels: BeaconLabels
    let limit: Int

    init(_ report: RoomReport, terminal: Terminal, localTime: LocalTime) {
        self.report = report
        self.terminal = terminal
        self.localTime = localTime
        labels = report.labels(mark: terminal.hasBlocks ? "…" : "~")
        limit = terminal.limit ?? terminal.columns
    }

    var text: String {
        let warnings = report.warnings.map(lines).joined()
        guard !report.rooms.isEmpty else {
            return lines(report.nothing(localTime)) + (health.isEmpty ? "" : "\n" + health) + warnings
        }
        let figures = "\(Words.count(report.beacons.count, "beacon")) in \(Words.count(report.rooms.count, "room"))"
        return terminal.styled("Report by room", .bold) + "\n" + lines(report.spanText(localTime)) + lines(figures)
            + "\n"
            + [rooms, hours, beacons, ways, health].filter { !$0.isEmpty }.joined(separator: "\n")
            + (warnings.isEmpty ? "" : "\n" + warnings)
    }

    private var health: String {
        HealthTable(report.health, labels: labels, localTime: localTime).text(terminal, limit: limit)
    }

    private var rooms: String {
        let columns = min(48, max(12, limit - 72))
        let factor = max(1, ((report.rooms.first?.presence.count ?? 1) + columns - 1) / columns)
        let per = limit < 60 ? "" : " per " + Words.span(report.bucketSeconds * Double(factor))
        var table = TextTable([
            .init("ROOM", least: 12, most: 44), .init("FLOOR", isNumber: true, rank: 6), .init("DWELL", isNumber: true),
            .init("VISITS", isNumber: true, rank: 3), .init("MEDIAN", isNumber: true, rank: 4),
            .init("LONGEST", isNumber: true, rank: 5), .init("BEACONS", isNumber: true, rank: 2),
            .init("PRESENCE" + per, rank: 1),
        ])
        let series = report.rooms.map { folded($0.presence, factor) }
        let most = series.flatMap(\.self).max() ?? 0
        for (room, presence) in zip(report.rooms, series) {
            let place: [TextTable.Cell] = [.init(room.room.name), .init("\(room.room.floor)")]
            let chart = TextTable.Cell(terminal.spark(presence, most: most))
            table.add(place + visits(room.visits) + [.init("\(room.beacons)"), chart])
        }
        return text(table)
    }

    private var hours: String {
        guard report.span.seconds >= 2 * 3600 else { return "" }
        var table = TextTable([.init("ROOM", least: 10, most: 44), .init("0     6     12    18", reserved: 24)])
        let most = report.rooms.flatMap(\.secondsByHour).max() ?? 0
        for room in report.rooms {
            table.add([.init(report.label(room.room)), .init(terminal.spark(room.secondsByHour, most: most))])
        }
        return heading("DWELL BY HOUR, \(localTime.zone(at: report.span.upperBound))") + text(table)
    }

    private var beacons: String {
        var table = TextTable([
            .init("BEACON", least: 12, most: 44), .init("ROOM", least: 10, most: 44), .init("DWELL", isNumber: true),
            .init("VISITS", isNumber: true, rank: 2), .init("SHARE", isNumber: true, rank: 1),
        ])
        for beacon in report.beacons.prefix(Words.mostBeacons) {
            for (index, (room, visits)) in beacon.rooms.enumerated() {
                table.add([
                    .init(index == 0 ? labels.full(beacon.id) : "", short: index == 0 ? labels.short(beacon.id) : ""),
                    .init(report.label(room)), .init(Words.span(visits.seconds)), .init("\(visits.visits.count)"),
                    .init(Words.share(beacon.seconds > 0 ? visits.seconds / beacon.seconds : nil)),
                ])
            }
        }
        return text(table)
    }

    private var ways: String {
        ways("FROM ROOM TO ROOM", report.transitions.map { ($0.from, $0.to, $0.count) }) {
            .init($1 + report.label($0))
        }
    }
}
