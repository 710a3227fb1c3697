import Text

/// A report of tables with small charts, for a terminal.
protocol TerminalReport {
    var terminal: Terminal { get }
    /// The greatest width of a line in columns.
    var limit: Int { get }
}

extension TerminalReport {
    func lines(_ text: String) -> String { wrapped(printable(text), limit).map { $0 + "\n" }.joined() }

    func heading(_ text: String) -> String { terminal.styled(shortened(text, limit), .dim) + "\n" }

    func text(_ table: TextTable) -> String { table.lines(terminal, limit: limit).map { $0 + "\n" }.joined() }

    /// How often beacons went from one place to another, the most frequent way first.
    ///
    /// - Parameter label: the label of a place, after these characters.
    func ways<Place>(
        _ title: String, _ ways: [(from: Place, to: Place, count: Int)],
        label: (_ place: Place, _ prefix: String) -> TextTable.Cell
    ) -> String {
        guard let most = ways.first?.count else { return "" }
        let arrow = terminal.hasBlocks ? "→ " : "-> "
        var table = TextTable([
            .init("FROM", least: 10, most: 44), .init(arrow + "TO", least: 12, most: 46),
            .init("TIMES", isNumber: true), .init("", reserved: 20, rank: 1),
        ])
        for way in ways.prefix(Words.longestList) {
            table.add([
                label(way.from, ""), label(way.to, arrow), .init("\(way.count)"),
                .init(terminal.bar(Double(way.count) / Double(most))),
            ])
        }
        let left = ways.count - Words.longestList
        return heading(title) + text(table) + (left > 0 ? lines(Words.leftOut(left)) : "")
    }

    /// Four cells: the total time, the number of visits, and the median and the maximum length of a visit.
    func visits(_ history: VisitHistory) -> [TextTable.Cell] {
        [
            .init(Words.span(history.seconds)), .init("\(history.visits.count)"),
            .init(history.medianSeconds.map(Words.span) ?? "-"), .init(history.longestSeconds.map(Words.span) ?? "-"),
        ]
    }

    /// Sums of `factor` neighbours each, for a chart with fewer columns.
    func folded<Number: AdditiveArithmetic>(_ values: [Number], _ factor: Int) -> [Number] {
        stride(from: 0, to: values.count, by: factor).map {
            values[$0..<min($0 + factor, values.count)].reduce(.zero, +)
        }
    }
}
