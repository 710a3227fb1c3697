/// A table for a terminal. Columns are as wide as their content; if there is no room, they become narrower or are
/// omitted.
///
/// Cells are made printable. Without a limit, as in a pipe, nothing is cut or omitted.
package struct TextTable: Sendable {
    package struct Column: Sendable {
        fileprivate var heading: String
        fileprivate var isNumber: Bool
        fileprivate var least: Int?
        fileprivate var most: Int
        fileprivate var reserved: Int
        fileprivate var rank: Int
        fileprivate var cut: TextCut

        /// - Parameters:
        ///   - isNumber: aligned to the right.
        ///   - least: the width to which it may be cut; nil if it must not be cut.
        ///   - most: the maximum width.
        ///   - reserved: the minimum width, so that a table that is redrawn does not move.
        ///   - rank: the column with the highest rank is omitted first; 0 is never omitted.
        ///   - cut: where texts are cut. Texts that are cut in the middle stay different from each other.
        package init(
            _ heading: String, isNumber: Bool = false, least: Int? = nil, most: Int = .max, reserved: Int = 0,
            rank: Int = 0, cut: TextCut = .middle
        ) {
            self.heading = heading
            self.isNumber = isNumber
            self.least = least
            self.most = most
            self.reserved = reserved
            self.rank = rank
            self.cut = cut
        }
    }

    package struct Cell: Sendable {
        fileprivate var text: String
        fileprivate var short: String?
        fileprivate var style: Terminal.Style?

        /// - Parameter short: shown instead, in the whole column, if there is no room for all full texts.
        package init(_ text: String, short: String? = nil, style: Terminal.Style? = nil) {
            self.text = printable(text)
            self.short = short.map(printable)
            self.style = style
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []
    private var isLimited = true

    /// Blanks between columns.
    private static let gap = 2

    /// A table without rows.
    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row. It needs a cell for each column.
    package mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count)
        rows.append(cells)
    }

    /// The heading and the rows.
    ///
    /// - Parameter limit: the maximum width of a line; nil for no limit.
    package func lines(_ terminal: Terminal, limit: Int?) -> [String] { lines(terminal, widths(limit)) }

    private func lines(_ terminal: Terminal, _ widths: [Int]) -> [String] {
        let shown = columns.indices.filter { widths[$0] > 0 }
        var texts = columns.indices.map { _ in [String]() }
        for index in shown {
            texts[index] = cut(index, to: widths[index], mark: terminal.hasBlocks ? "…" : "~")
        }
        let heading = shown.map { ($0, shortened(columns[$0].heading, widths[$0], mark: ""), Terminal.Style?.none) }
        let first = terminal.styled(line(heading, widths, Terminal(isTerminal: false)), .dim)
        return [first] + rows.indices.map { row in
            line(shown.map { ($0, texts[$0][row], rows[row][$0].style) }, widths, terminal)
        }
    }

    /// The same with the limit of the terminal.
    package func lines(_ terminal: Terminal) -> [String] { lines(terminal, limit: terminal.limit) }

    /// Widths that are fixed before there are rows: those that the columns reserve.
    package func layout(limit: Int?) -> Layout {
        var table = self
        table.isLimited = limit != nil
        return Layout(table: table, widths: widths(limit))
    }

    /// Lines that are written one by one.
    package struct Layout: Sendable {
        fileprivate let table: TextTable
        fileprivate let widths: [Int]

        package func heading(_ terminal: Terminal) -> String {
            var empty = table
            empty.rows = []
            return empty.lines(terminal, widths).first ?? ""
        }

        /// The line of a row. A text that is too wide for its column is cut if the terminal has a limit.
        package func line(_ cells: [Cell], _ terminal: Terminal) -> String {
            var single = table
            single.rows = [cells]
            return single.lines(terminal, widths).last ?? ""
        }
    }

    /// A line of texts that fit their columns, without trailing blanks.
    private func line(
        _ cells: [(column: Int, text: String, style: Terminal.Style?)], _ widths: [Int], _ terminal: Terminal
    ) -> String {
        var line = ""
        // Written only if something follows.
        var blanks = ""
        for (column, text, style) in cells {
            let missing = String(repeating: " ", count: max(0, widths[column] - displayWidth(text)))
            if columns[column].isNumber { blanks += missing }
            if !text.isEmpty {
                line += blanks + (style.map { terminal.styled(text, $0) } ?? text)
                blanks = ""
            }
            if !columns[column].isNumber { blanks += missing }
            blanks += String(repeating: " ", count: Self.gap)
        }
        return line
    }

    private func cut(_ index: Int, to width: Int, mark: String) -> [String] {
        var texts = rows.map { $0[index].text }
        // The last column of a line without a limit is never cut.
        guard isLimited || index < columns.count - 1 else { return texts }
        if texts.contains(where: { displayWidth($0) > width }) {
            texts = rows.map { $0[index].short ?? $0[index].text }
        }
        guard texts.contains(where: { displayWidth($0) > width }) else { return texts }
        guard columns[index].cut == .middle else {
            // A curve continues before the part that is shown, and needs no mark.
            let mark = columns[index].cut == .beginning ? "" : mark
            return texts.map { shortened($0, width, cut: columns[index].cut, mark: mark) }
        }
        return shortenedApart(texts, width, mark: mark)
    }

    // MARK: - Widths

    /// The width of each column; 0 if it is omitted.
    private func widths(_ limit: Int?) -> [Int] {
        let full = columns.indices.map { natural($0) { $0.text } }
        guard let limit, total(full) > limit else { return full }
        let hasShort = columns.indices.map { index in rows.contains { $0[index].short != nil } }
        let wanted = columns.indices.map { hasShort[$0] ? natural($0) { $0.short ?? $0.text } : full[$0] }
        func least(_ widths: [Int]) -> [Int] {
            columns.indices.map { min(columns[$0].least ?? widths[$0], widths[$0]) }
        }
        // First try: columns with a short form in full, the others cut. If that is too wide, use the short forms.
        let withFull = columns.indices.map { hasShort[$0] ? full[$0] : least(full)[$0] }
        if total(withFull) <= limit { return filled(withFull, up: full, limit) }
        var widths = least(wanted)
        while total(widths) > limit {
            let candidates = columns.indices.filter { widths[$0] > 0 && columns[$0].rank > 0 }
            guard let out = candidates.max(by: { columns[$0].rank < columns[$1].rank }) else { break }
            widths[out] = 0
        }
        // Nothing more can be omitted: cut columns below their preferred minimum.
        while total(widths) > limit {
            let candidates = columns.indices.filter { columns[$0].least != nil && widths[$0] > 1 }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return filled(widths, up: wanted, limit)
    }

    private func natural(_ index: Int, _ text: (Cell) -> String) -> Int {
        let column = columns[index]
        let widest = rows.reduce(displayWidth(column.heading)) { max($0, displayWidth(text($1[index]))) }
        return max(1, min(column.most, max(column.reserved, widest)))
    }

    private func total(_ widths: [Int]) -> Int {
        let shown = widths.filter { $0 > 0 }
        return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1)
    }

    /// Distributes the remaining room evenly among the columns that need more.
    private func filled(_ widths: [Int], up wanted: [Int], _ limit: Int) -> [Int] {
        var widths = widths
        var room = limit - total(widths)
        while room > 0 {
            let hungry = widths.indices.filter { widths[$0] > 0 && widths[$0] < wanted[$0] }
            guard !hungry.isEmpty else { break }
            for index in hungry where room > 0 {
                widths[index] += 1
                room -= 1
            }
        }
        return widths
    }
}

/// Lines with a label and a value. A value that is too long for one line continues below itself.
package struct TextRows: Sendable {
    private var rows: [(label: String, value: String, style: Terminal.Style?)] = []
    private let width: Int
    private let indent: Int

    /// - Parameters:
    ///   - width: the width of the labels.
    ///   - indent: blanks before the labels.
    package init(width: Int, indent: Int = 0) {
        self.width = width
        self.indent = indent
    }

    /// Adds a row. The label is not repeated if the row before has the same one.
    package mutating func add(_ label: String, _ value: String, style: Terminal.Style? = nil) {
        rows.append((label, printable(value), style))
    }

    package func lines(_ terminal: Terminal) -> [String] {
        var last = ""
        return rows.flatMap { label, value, style in
            defer { last = label }
            let parts = terminal.limit.map { wrapped(value, $0 - width - indent) } ?? [value]
            return parts.enumerated().map { index, part in
                let shown = index == 0 && label != last ? label : ""
                return String(repeating: " ", count: indent) + terminal.styled(pad(shown, -width), .dim)
                    + (style.map { terminal.styled(part, $0) } ?? part)
            }
        }
    }
}
