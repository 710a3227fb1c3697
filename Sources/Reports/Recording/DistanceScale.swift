import Glibc

/// Distances in bins of equal ratio, sixteen for each doubling. The value of a bin is wrong by 2.2 % at most.
package enum DistanceScale {
    /// The range of the bins: from 31 mm to 1024 m.
    package static let bins = -80...160

    /// The bin of a distance in metres, which must be more than 0.
    package static func bin(of metres: Double) -> Int {
        let place = (16 * log2(metres)).rounded(.down)
        guard place > Double(bins.lowerBound) else { return bins.lowerBound }
        return place < Double(bins.upperBound) ? Int(place) : bins.upperBound
    }

    /// The distance in metres at the middle of a bin.
    package static func metres(of bin: Int) -> Double {
        exp2((Double(bin) + 0.5) / 16)
    }
}
