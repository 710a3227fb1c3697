public import Beacon
public import Ranging

/// Rankings on standard output in one of the forms.
public struct RankingOutput {
    private let format: OutputFormat
    private let terminal: Terminal
    private var table: RankingTable
    private var display: LiveDisplay
    private var text: RankingText
    private var pending = ""

    public init(_ format: OutputFormat, terminal: Terminal = .current) {
        self.format = format
        self.terminal = terminal
        table = RankingTable(names: [:], terminal: terminal)
        display = LiveDisplay(terminal: terminal)
        text = RankingText(names: [:])
    }

    public var names: [BeaconID: String] {
        get { text.names }
        set {
            text.names = newValue
            table.names = newValue
        }
    }

    /// What comes before the first ranking.
    public mutating func begin() {
        switch format {
        case .csv: pending += RankingText.csvHeader + "\n"
        case .table where terminal.isTerminal: pending += display.text(["listening …"])
        case .table, .json: break
        }
        flush()
    }

    /// - Parameter footer: further lines below the table.
    public mutating func write(_ ranking: Ranking, isBlind: Bool = false, footer: [String] = []) {
        switch format {
        case .json: pending += text.json(ranking, isBlind: isBlind) + "\n"
        case .csv: pending += text.csv(ranking, isBlind: isBlind)
        case .table:
            let rows = terminal.isTerminal ? terminal.rows - 4 - footer.count : 50
            pending += display.text(table.lines(ranking, isBlind: isBlind, rows: rows) + footer)
        }
        if pending.utf8.count > 1 << 15 { flush() }
    }

    public mutating func flush() {
        guard !pending.isEmpty else { return }
        var output = OutputBuffer()
        output.write(pending)
        output.flush()
        pending = ""
    }
}
