import Ranging

/// The natural logarithm of a product of any number of positive factors, without overflow: it takes a logarithm only
/// if the next factor could move the product out of range.
struct LogarithmOfProduct {
    private var product = 1.0
    private var taken = 0.0

    /// The range of the product. Each factor has to be in it too.
    private static let bounds = 1e-100...1e100

    mutating func multiply(by factor: Double) {
        product *= factor
        guard !Self.bounds.contains(product) else { return }
        taken += logarithm(product)
        product = 1
    }

    var value: Double { taken + logarithm(product) }
}
