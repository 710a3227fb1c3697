/// Columns of an SVG plot: visits by day. The coordinates are those of a `viewBox` of 480 × 160.
package struct DayPlot {
    private let columns: [(day: Int64, visits: Int, days: Int64)]
    private let most: Int

    package static let width = 480.0
    package static let height = 160.0
    /// More days are put together, so that a column is never thinner than a line.
    package static let mostColumns: Int64 = 120

    package init(_ visits: [Int64: Int], days: ClosedRange<Int64>) {
        let count = days.upperBound - days.lowerBound + 1
        let step = (count + Self.mostColumns - 1) / Self.mostColumns
        columns = stride(from: days.lowerBound, through: days.upperBound, by: Int(step)).map { day in
            let sum = (day..<min(day + step, days.upperBound + 1)).reduce(0) { $0 + (visits[$1] ?? 0) }
            return (day, sum, step)
        }
        most = columns.map(\.visits).max() ?? 0
    }

    package var value: PageValue {
        guard most > 0, let first = columns.first, let last = columns.last else { return .none }
        let width = (Self.width - 40) / Double(columns.count)
        let floor = Self.height - 24
        return [
            "most": .text("\(most)"), "first": .text(CivilDay.text(of: first.day)),
            "last": .text(CivilDay.text(of: last.day)),
            "columns": .list(
                columns.enumerated().map { index, column in
                    let height = (floor - 16) * Double(column.visits) / Double(most)
                    return [
                        "x": number(40 + Double(index) * width + width * 0.1), "y": number(floor - height),
                        "width": number(width * 0.8), "height": number(height),
                        "words": .text("\(CivilDay.text(of: column.day)): \(column.visits)"),
                    ]
                }),
        ]
    }

    private func number(_ value: Double) -> PageValue { .text("\((value * 100).rounded() / 100)") }
}
