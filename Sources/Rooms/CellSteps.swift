/// The probabilities of steps from cell to cell in a second, without negligible ones.
struct CellSteps: Sendable {
    private var ends: [Int32] = []
    private var targets: [Int32] = []
    private var weights: [Double] = []

    /// Adds the next cell's steps: the cells that they lead to, with their weights.
    mutating func addRow(_ row: [(cell: Int, weight: Double)]) {
        let sum = row.reduce(0) { $0 + $1.weight }
        for (cell, weight) in row {
            targets.append(Int32(truncatingIfNeeded: cell))
            weights.append(weight / sum)
        }
        ends.append(Int32(truncatingIfNeeded: targets.count))
    }

    /// The probabilities after a second.
    func applied(to probabilities: [Double]) -> [Double] {
        var result = [Double](repeating: 0, count: probabilities.count)
        var index = 0
        for (cell, end) in ends.enumerated() {
            let probability = probabilities[cell]
            guard probability > 0 else {
                index = Int(end)
                continue
            }
            while index < Int(end) {
                result[Int(targets[index])] += probability * weights[index]
                index += 1
            }
        }
        return result
    }
}
