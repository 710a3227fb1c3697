import Glibc

/// Distances in bins of equal ratio, sixteen to each doubling: what a bin stands for is off by 2.2 % at most.
package enum DistanceScale {
    /// Bins of the distances that are told apart: from 31 mm to 1024 m.
    package static let bins = -80...160

    /// The bin of a distance in metres, which is more than 0.
    package static func bin(of metres: Double) -> Int {
        let place = (16 * log2(metres)).rounded(.down)
        guard place > Double(bins.lowerBound) else { return bins.lowerBound }
        return place < Double(bins.upperBound) ? Int(place) : bins.upperBound
    }

    /// The distance in metres that a bin stands for: its middle.
    package static func metres(of bin: Int) -> Double {
        exp2((Double(bin) + 0.5) / 16)
    }
}
