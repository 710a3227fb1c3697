package import Beacon
import Glibc
package import Ranging
import Text

/// A calibration with all that a person or a program wants to know about it.
package struct CalibrationResult: Sendable {
    /// Whose.
    package var id: BeaconID
    /// What the source calls it; nil where it does not.
    package var name: String?
    /// The source that heard it.
    package var scanner: String
    /// What was found.
    package var estimate: CalibrationEstimate
    /// The path-loss exponent in force.
    package var siteExponent: Double
    /// The configuration that it was written to; nil for none.
    package var written: String?

    /// A result that is not written yet.
    package init(id: BeaconID, name: String?, scanner: String, estimate: CalibrationEstimate, siteExponent: Double) {
        self.id = id
        self.name = name.map(printable)
        self.scanner = scanner
        self.estimate = estimate
        self.siteExponent = siteExponent
    }

    /// Readings at all distances.
    package var samples: Int { estimate.points.reduce(0) { $0 + $1.count } }

    var identity: String { "\(id.uuid.uppercased)/\(id.major)/\(id.minor)" }

    /// The exponent that goes with the estimate: measured, or the site's where what was measured occurs nowhere.
    var exponent: Double {
        estimate.exponent.flatMap { CalibrationEstimate.exponents.contains($0) ? $0 : nil } ?? siteExponent
    }

    /// dBm to expect at a distance.
    func level(at metres: Double) -> Double { estimate.measuredPower - 10 * exponent * log10(metres) }
}
