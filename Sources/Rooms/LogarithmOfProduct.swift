import Ranging

/// The natural logarithm of a product of any number of positive factors, without overflow: a logarithm is taken only
/// where the product could leave the range of numbers with the next factor.
struct LogarithmOfProduct {
    private var product = 1.0
    private var taken = 0.0

    /// What the product stays within. Each factor has to be, too.
    private static let bounds = 1e-100...1e100

    mutating func multiply(by factor: Double) {
        product *= factor
        guard !Self.bounds.contains(product) else { return }
        taken += logarithm(product)
        product = 1
    }

    var value: Double { taken + logarithm(product) }
}
