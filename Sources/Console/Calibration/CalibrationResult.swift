public import Beacon
import Glibc
public import Ranging
import Text

/// A calibration with all that a person or a program wants to know about it.
public struct CalibrationResult: Sendable {
    /// Whose.
    public var id: BeaconID
    /// What the source calls it; nil where it does not.
    public var name: String?
    /// The source that heard it.
    public var scanner: String
    /// What was found.
    public var estimate: CalibrationEstimate
    /// The path-loss exponent in force.
    public var siteExponent: Double
    /// The configuration that it was written to; nil for none.
    public var written: String?

    /// A result that is not written yet.
    public init(id: BeaconID, name: String?, scanner: String, estimate: CalibrationEstimate, siteExponent: Double) {
        self.id = id
        self.name = name.map(printable)
        self.scanner = scanner
        self.estimate = estimate
        self.siteExponent = siteExponent
    }

    /// Readings at all distances.
    public var samples: Int { estimate.points.reduce(0) { $0 + $1.count } }

    var identity: String { "\(id.uuid.uppercased)/\(id.major)/\(id.minor)" }

    /// The exponent that goes with the estimate: measured, or the site's where what was measured occurs nowhere.
    var exponent: Double {
        estimate.exponent.flatMap { CalibrationEstimate.exponents.contains($0) ? $0 : nil } ?? siteExponent
    }

    /// dBm to expect at a distance.
    func level(at metres: Double) -> Double { estimate.measuredPower - 10 * exponent * log10(metres) }
}
