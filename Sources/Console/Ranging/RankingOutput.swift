package import Beacon
package import Ranging
package import Text

/// Writes rankings to standard output in one of the formats.
package struct RankingOutput {
    private let format: OutputFormat
    private var terminal: Terminal
    private var table: RankingTable
    private var display: LiveDisplay
    private var text: RankingText
    private var pending = ""
    /// Selects the beacons to write.
    package let filter: BeaconFilter
    /// Whether it was reported that none of the selected beacons is there.
    package private(set) var isAbsenceTold = false
    /// The beacons in the configuration. Their names take precedence over `names`.
    private let known: KnownBeacons
    /// The names of the receivers; nil if there is only one.
    package var receivers: [String]? {
        get { text.receivers }
        set { text.receivers = newValue }
    }

    /// Whether a table is redrawn in place. Other text on the terminal would disturb it.
    package var isRedrawn: Bool { format == .table && terminal.isTerminal }

    /// - Parameter filter: selects the beacons to write.
    package init(
        _ format: OutputFormat, filter: BeaconFilter = BeaconFilter(), known: KnownBeacons = KnownBeacons(),
        terminal: Terminal = .current
    ) {
        self.filter = filter
        self.known = known
        self.format = format
        self.terminal = terminal
        table = RankingTable(names: [:], terminal: terminal)
        display = LiveDisplay(terminal: terminal)
        text = RankingText(names: [:])
    }

    package var names: [BeaconID: String] {
        get { text.names }
        set {
            let names = known.names(over: newValue)
            text.names = names
            table.names = names
        }
    }

    /// Writes what comes before the first ranking.
    package mutating func begin() {
        switch format {
        case .csv: pending += RankingText.csvHeader + "\n"
        case .table where terminal.isTerminal:
            pending += display.text([terminal.hasBlocks ? "listening …" : "listening ..."])
        case .table, .json: break
        }
        flush()
    }

    /// - Parameter footer: further lines below the table.
    package mutating func write(_ ranking: Ranking, isBlind: Bool = false, footer: [String] = []) {
        let whole = ranking
        if !known.isEmpty { learnNames(of: whole) }
        let ranking = filter.ranking(whole, names: names)
        if ranking.beacons.isEmpty, !whole.beacons.isEmpty { tellAbsence(whole) }
        switch format {
        case .json: pending += text.json(ranking, isBlind: isBlind) + "\n"
        case .csv: pending += text.csv(ranking, isBlind: isBlind)
        case .table:
            terminal.resize()
            // The last row stays free for the cursor. What reads a pipe has room for all.
            let rows = terminal.isTerminal ? max(4, terminal.rows - 1 - footer.count) : .max
            let lines = table.lines(ranking, isBlind: isBlind, rows: rows, terminal: terminal)
            pending += display.text(lines + footer, terminal: terminal)
        }
        if pending.utf8.count > 1 << 15 { flush() }
    }

    /// Whether a ranking has any beacon that is to be written.
    package mutating func hasWanted(in ranking: Ranking) -> Bool {
        if !known.isEmpty { learnNames(of: ranking) }
        return !filter.ranking(ranking, names: names).beacons.isEmpty
    }

    /// - Throws: if beacons were asked for, and a ranking has none of them. The message is not repeated.
    package mutating func requireWanted(in ranking: Ranking) throws {
        guard !filter.isEmpty, !hasWanted(in: ranking) else { return }
        if isAbsenceTold { throw CommandFailure.reported }
        try filter.require(among: ranking.beacons.map(\.id), names: names)
    }

    /// A name without a UUID applies to the beacons with these numbers that are received.
    private mutating func learnNames(of ranking: Ranking) {
        for beacon in ranking.beacons where names[beacon.id] == nil {
            guard let name = known.name(of: beacon.id), names.count < Self.mostNames else { continue }
            text.names[beacon.id] = name
            table.names[beacon.id] = name
        }
    }

    private static let mostNames = 100_000

    /// Reports once that no beacon matches, but not if this would disturb a table.
    private mutating func tellAbsence(_ ranking: Ranking) {
        guard !isAbsenceTold, !isRedrawn else { return }
        isAbsenceTold = true
        do throws(BeaconQuery.Failure) {
            try filter.require(among: ranking.beacons.map(\.id), names: names)
        } catch {
            Program.write("\(error)\n")
        }
    }

    package mutating func flush() {
        Program.output(pending)
        pending = ""
    }
}
