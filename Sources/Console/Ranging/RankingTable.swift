package import Beacon
package import Ranging
package import Text

/// The live ranking for people: rank, name, level, distance with its interval, proximity, age and a curve of the level.
/// On a narrow terminal the least important columns are left out.
package struct RankingTable: Sendable {
    package var names: [BeaconID: String]
    private let hasBlocks: Bool
    /// Filtered levels of the last ticks, for the curves.
    private var levels: [BeaconID: [Double?]] = [:]

    private static let curveLength = 16

    package init(names: [BeaconID: String], terminal: Terminal) {
        self.names = names
        hasBlocks = terminal.hasBlocks
    }

    /// The lines for one ranking. `rows` is the greatest number of lines.
    package mutating func lines(
        _ ranking: Ranking, isBlind: Bool = false, rows: Int = .max, terminal: Terminal
    ) -> [String] {
        remember(ranking)
        let mark = hasBlocks ? "…" : "~"
        var shown = ranking.beacons[...]
        var heading: [String] = []
        var labels = BeaconLabels(shown.map(\.id), names: names, mark: mark)
        while true {
            heading = self.heading(ranking, isBlind: isBlind, shared: labels.sharedUUID, terminal)
            // One line for the column headings and one for the number of hidden beacons.
            let room = rows == .max ? Int.max : max(1, rows - heading.count - 1)
            guard shown.count > room else { break }
            shown = shown.prefix(max(1, room - 1))
            labels = BeaconLabels(shown.map(\.id), names: names, mark: mark)
            guard shown.count > 1 else { break }
        }
        guard !shown.isEmpty else { return heading + ["no beacon in range"] }
        var table = TextTable(Self.columns(hasBlocks: hasBlocks))
        for beacon in shown {
            add(beacon, labels, isNearest: beacon.id == ranking.nearest, at: ranking.time, to: &table)
        }
        var lines = heading + table.lines(terminal)
        if shown.count < ranking.beacons.count {
            lines.append(terminal.styled("     and \(ranking.beacons.count - shown.count) more", .dim))
        }
        return lines
    }

    private static func columns(hasBlocks: Bool) -> [TextTable.Column] {
        [
            .init("  #", reserved: 3), .init("BEACON", least: 12, most: 60, reserved: 12),
            .init("RSSI", isNumber: true, reserved: 6, rank: 1), .init("DISTANCE", isNumber: true, reserved: 8),
            .init(" 10-90 %", reserved: 10, rank: 3), .init("PROXIMITY", reserved: 9, rank: 2),
            .init("AGE", isNumber: true, reserved: 5, rank: 4),
            .init("LEVEL", least: 6, most: curveLength, reserved: curveLength, rank: 5, cut: .beginning),
        ]
    }

    private func heading(
        _ ranking: Ranking, isBlind: Bool, shared: ProximityUUID?, _ terminal: Terminal
    ) -> [String] {
        var first = String(ranking.time.rfc3339.dropFirst(11).prefix(8)) + " UTC"
        if isBlind { first += "   " + terminal.styled("scanner blind", .yellow) }
        first += "   \(ranking.beacons.count) beacon\(ranking.beacons.count == 1 ? "" : "s")"
        guard let shared = shared?.uppercased else { return [first] }
        let all = first + "   " + shared
        guard let limit = terminal.limit, clipped(all, to: limit) != all else { return [all] }
        return [first, shared]
    }

    private func add(
        _ beacon: RangedBeacon, _ labels: BeaconLabels, isNearest: Bool, at time: Timestamp, to table: inout TextTable
    ) {
        let dash = hasBlocks ? "–" : "-"
        let interval = beacon.distance.map { fixed($0.low, digits: 1) + dash + fixed($0.high, digits: 1) } ?? "-"
        let style: Terminal.Style? = isNearest ? .bold : nil
        table.add([
            .init((isNearest ? (hasBlocks ? "▶" : ">") : " ") + pad("\(beacon.rank)", 2), style: style),
            .init(labels.full(beacon.id), short: labels.short(beacon.id), style: style),
            .init(beacon.filteredRSSI.map { fixed($0, digits: 1) } ?? "-", style: style),
            .init(beacon.distance.map { fixed($0.metres, digits: 1) + " m" } ?? "-", style: style),
            .init(" " + interval, style: style), .init(beacon.proximity.rawValue, style: style),
            .init(fixed(max(0, time.seconds(since: beacon.lastSeen)), digits: 1) + "s", style: style),
            .init(curve(beacon.id), style: isNearest ? .green : .cyan),
        ])
    }

    // MARK: - Curves

    private mutating func remember(_ ranking: Ranking) {
        let current = Dictionary(ranking.beacons.map { ($0.id, $0.filteredRSSI) }, uniquingKeysWith: { $1 })
        for id in levels.keys where current[id] == nil { levels[id] = nil }
        for (id, level) in current {
            levels[id, default: []].append(level)
            if levels[id, default: []].count > Self.curveLength { levels[id]?.removeFirst() }
        }
    }

    /// −100 dBm is the lowest step, −40 dBm the highest.
    private func curve(_ id: BeaconID) -> String {
        let steps = Array(hasBlocks ? "▁▂▃▄▅▆▇█" : ".:-=+*#@")
        return String(
            levels[id, default: []].map { level in
                guard let level else { return " " }
                let share = (min(-40, max(-100, level)) + 100) / 60
                return steps[Int((share * 7).rounded())]
            })
    }
}

/// Shows blocks of lines: on a terminal each replaces the last, elsewhere they follow one another.
package struct LiveDisplay: Sendable {
    private var terminal: Terminal
    private var drawn = 0

    package init(terminal: Terminal) {
        self.terminal = terminal
    }

    /// The text to write for this block. Lines that would wrap are cut, because wrapping would shift the next block.
    ///
    /// - Parameter terminal: with its current size.
    package mutating func text(_ lines: [String], terminal: Terminal? = nil) -> String {
        let isResized = terminal.map { $0.columns != self.terminal.columns || $0.rows != self.terminal.rows } ?? false
        self.terminal = terminal ?? self.terminal
        guard self.terminal.isTerminal else { return lines.joined(separator: "\n") + "\n\n" }
        var up = drawn > 0 ? "\u{1B}[\(drawn)A\r" : "\r"
        // After a resize, only the terminal knows where the old lines are.
        if isResized { up = "\u{1B}[H\u{1B}[2J" }
        let shown = lines.prefix(max(1, self.terminal.rows - 1)).map { clipped($0, to: self.terminal.limit ?? .max) }
        drawn = shown.count
        // Clears the end of each line and the screen below. Clearing the whole screen would flicker.
        return up + shown.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}
