package import Beacon

/// What a site knows better than a beacon's frame. A part that is nil changes nothing. If several corrections fit one
/// beacon, each part comes from the most exact correction that has it.
package struct BeaconCorrection: Sendable, Hashable {
    /// Level at 1 m in dBm, in place of what the frame claims.
    package var measuredPower: Double?
    /// dB added to what the frame claims; without effect beside `measuredPower`.
    package var offset: Double?
    /// Standard deviation of the corrected measured power, in dB.
    package var deviation: Double?
    /// Seconds of silence after which the beacon exits, in place of the learned time, floor and cap.
    package var exitTime: Double?

    /// A correction of the given parts.
    package init(
        measuredPower: Double? = nil, offset: Double? = nil, deviation: Double? = nil, exitTime: Double? = nil
    ) {
        self.measuredPower = measuredPower
        self.offset = offset
        self.deviation = deviation
        self.exitTime = exitTime
    }

    var validated: BeaconCorrection {
        BeaconCorrection(
            measuredPower: measuredPower?.clamped(to: -255...255), offset: offset?.clamped(to: -255...255),
            deviation: deviation?.clamped(to: 0...100), exitTime: exitTime?.clamped(to: 0.01...86_400))
    }
}

/// A correction as one beacon keeps it: looked up once, when the beacon is first received.
package struct AppliedCorrection: Sendable {
    /// dBm in place of the frame's; NaN for none.
    private var power = Float.nan
    private var offset: Float
    /// dB²; NaN for the site's own.
    private var variance = Float.nan
    /// Seconds; 0 for the learned time.
    private(set) var exitTime: Float = 0

    package init(_ id: BeaconID, settings: RangingSettings) {
        offset = Float(settings.measuredPowerCorrection)
        guard !settings.corrections.isEmpty else { return }
        for constraint in BeaconConstraint.all(for: id) {
            guard let correction = settings.corrections[constraint] else { continue }
            if let value = correction.measuredPower { power = Float(value) }
            if let value = correction.offset { offset = Float(value) }
            if let value = correction.deviation { variance = Float(value * value) }
            if let value = correction.exitTime { exitTime = Float(value) }
        }
    }

    /// dBm at 1 m.
    func measuredPower(claimed: Int8) -> Double {
        power.isNaN ? Double(claimed) + Double(offset) : Double(power)
    }

    /// Whether the site knows its power better than its frame does.
    var isMeasured: Bool { !power.isNaN || !variance.isNaN }

    /// dB by which it is received more strongly than its measured power says, on average; 0 once it was calibrated.
    func bias(site: Double) -> Double {
        isMeasured ? 0 : site
    }

    /// dB² of the measured power.
    func variance(site: Double) -> Double {
        variance.isNaN ? site : Double(variance)
    }
}
