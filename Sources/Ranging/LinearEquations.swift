/// Linear equations with a symmetric, positive definite matrix, for a few dozen unknowns.
struct LinearEquations {
    private let count: Int
    /// Row by row.
    private var matrix: [Double]
    var right: [Double]

    /// All zero.
    init(count: Int) {
        self.count = count
        matrix = Array(repeating: 0, count: count * count)
        right = Array(repeating: 0, count: count)
    }

    /// Adds to the matrix at a row and a column, and at its mirror element.
    mutating func add(_ row: Int, _ column: Int, _ value: Double) {
        matrix[row * count + column] += value
        if row != column { matrix[column * count + row] += value }
    }

    /// Pulls an unknown to a value that is known with a variance.
    mutating func addPrior(_ row: Int, value: Double, variance: Double) {
        add(row, row, 1 / variance)
        right[row] += value / variance
    }

    /// By elimination. A positive definite matrix needs no pivoting.
    func solution() -> [Double] {
        var (matrix, right) = (matrix, right)
        for pivot in 0..<count {
            for row in (pivot + 1)..<max(pivot + 1, count) {
                let factor = matrix[row * count + pivot] / matrix[pivot * count + pivot]
                guard factor != 0 else { continue }
                for column in pivot..<count { matrix[row * count + column] -= factor * matrix[pivot * count + column] }
                right[row] -= factor * right[pivot]
            }
        }
        for row in (0..<count).reversed() {
            for column in (row + 1)..<max(row + 1, count) { right[row] -= matrix[row * count + column] * right[column] }
            right[row] /= matrix[row * count + row]
        }
        return right
    }
}
