public import Beacon
public import Ranging

/// The live ranking as people read it: rank, name, level, distance with its interval, proximity, age, and how the level
/// moved. Names come from outside and may hold anything, so control characters are left out.
public struct RankingTable: Sendable {
    public var names: [BeaconID: String]
    private let terminal: Terminal
    /// Filtered levels of the last ticks, for the small curves.
    private var levels: [BeaconID: [Double?]] = [:]

    private static let curveLength = 16

    public init(names: [BeaconID: String], terminal: Terminal) {
        self.names = names
        self.terminal = terminal
    }

    /// The table's lines for one ranking. `rows` bounds the beacons shown.
    public mutating func lines(_ ranking: Ranking, isBlind: Bool = false, rows: Int = .max) -> [String] {
        remember(ranking)
        let shown = ranking.beacons.prefix(max(1, rows))
        let uuids = Set(shown.map(\.id.uuid))
        let shared = uuids.count == 1 ? uuids.first : nil
        let labels = shown.map { label($0.id, sharedUUID: shared) }
        // The other columns and their gaps take 66; what is left may be the name's.
        let widest = max(12, terminal.isTerminal ? terminal.columns - 66 : 60)
        let width = min(widest, max(12, labels.map(\.count).max() ?? 0))

        var lines = [heading(ranking, isBlind: isBlind, shared: shared)]
        guard !shown.isEmpty else { return lines + ["no beacon in range"] }
        lines.append(
            terminal.styled(
                "  #  \(pad("BEACON", -width))   RSSI  DISTANCE   10-90 %       PROXIMITY   AGE  LEVEL", .dim))
        for (beacon, label) in zip(shown, labels) {
            lines.append(row(beacon, label, width, isNearest: beacon.id == ranking.nearest, at: ranking.time))
        }
        if shown.count < ranking.beacons.count {
            lines.append(terminal.styled("     and \(ranking.beacons.count - shown.count) more", .dim))
        }
        return lines
    }

    private func heading(_ ranking: Ranking, isBlind: Bool, shared: ProximityUUID?) -> String {
        var parts = [String(ranking.time.rfc3339.dropFirst(11).prefix(8)) + " UTC"]
        if isBlind { parts.append(terminal.styled("scanner blind", .yellow)) }
        parts.append("\(ranking.beacons.count) beacon\(ranking.beacons.count == 1 ? "" : "s")")
        if let shared { parts.append(shared.uppercased) }
        return parts.joined(separator: "   ")
    }

    private func row(
        _ beacon: RangedBeacon, _ label: String, _ width: Int, isNearest: Bool, at time: Timestamp
    ) -> String {
        let distance = beacon.distance.map { fixed($0.metres, digits: 1) + " m" } ?? "-"
        let dash = terminal.hasBlocks ? "–" : "-"
        let interval = beacon.distance.map { fixed($0.low, digits: 1) + dash + fixed($0.high, digits: 1) } ?? "-"
        let age = fixed(max(0, time.seconds(since: beacon.lastSeen)), digits: 1) + "s"
        let level = beacon.filteredRSSI.map { fixed($0, digits: 1) } ?? "-"
        let text =
            "\(isNearest ? (terminal.hasBlocks ? "▶" : ">") : " ")\(pad("\(beacon.rank)", 2))  "
            + "\(pad(String(label.prefix(width)), -width))  \(pad(level, 5))  \(pad(distance, 8))   "
            + "\(pad(interval, -12))  \(pad(beacon.proximity.rawValue, -9))  \(pad(age, 4))  "
        let curve = curve(beacon.id)
        return isNearest
            ? terminal.styled(text, .bold) + terminal.styled(curve, .green) : text + terminal.styled(curve, .cyan)
    }

    private func label(_ id: BeaconID, sharedUUID: ProximityUUID?) -> String {
        if let name = names[id] {
            return printable(name)
        }
        let pair = "\(id.major).\(id.minor)"
        return sharedUUID == nil ? "\(id.uuid.uppercased) \(pair)" : pair
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
        let steps = Array(terminal.hasBlocks ? "▁▂▃▄▅▆▇█" : ".:-=+*#@")
        return String(
            levels[id, default: []].map { level in
                guard let level else { return " " }
                let share = (min(-40, max(-100, level)) + 100) / 60
                return steps[Int((share * 7).rounded())]
            })
    }
}

/// Shows blocks of lines: on a terminal each in the place of the former, elsewhere one after another.
public struct LiveDisplay: Sendable {
    private let terminal: Terminal
    private var drawn = 0

    public init(terminal: Terminal) {
        self.terminal = terminal
    }

    /// The text to write for this block.
    public mutating func text(_ lines: [String]) -> String {
        guard terminal.isTerminal else { return lines.joined(separator: "\n") + "\n\n" }
        let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        drawn = lines.count
        // Each line is cleared behind its text, the rest of the screen below; never the whole, which flickers.
        return up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}
