package import Beacon
import Glibc
package import Ranging
import Text

/// A calibration with everything that a person or a program needs to know about it.
package struct CalibrationResult: Sendable {
    /// The beacon.
    package var id: BeaconID
    /// The beacon's name in the source; nil if it has none.
    package var name: String?
    /// The source that received it.
    package var scanner: String
    package var estimate: CalibrationEstimate
    /// The site's path-loss exponent in the settings.
    package var siteExponent: Double
    /// The configuration file that the result was written to; nil if it was not written.
    package var written: String?

    /// A result that has not been written yet.
    package init(id: BeaconID, name: String?, scanner: String, estimate: CalibrationEstimate, siteExponent: Double) {
        self.id = id
        self.name = name.map(printable)
        self.scanner = scanner
        self.estimate = estimate
        self.siteExponent = siteExponent
    }

    /// Readings at all distances together.
    package var samples: Int { estimate.points.reduce(0) { $0 + $1.count } }

    var identity: String { "\(id.uuid.uppercased)/\(id.major)/\(id.minor)" }

    /// The exponent for the estimate: the measured one, or the site's if the measured one is outside the plausible
    /// range.
    var exponent: Double {
        estimate.exponent.flatMap { CalibrationEstimate.exponents.contains($0) ? $0 : nil } ?? siteExponent
    }

    /// The expected level in dBm at a distance.
    func level(at metres: Double) -> Double { estimate.measuredPower - 10 * exponent * log10(metres) }
}
