package import Beacon

/// Everything about ranging that a site can set. The defaults serve a walk past beacons that advertise
/// every 100 ms to 1 s. Values that make no sense are brought to the nearest that does (`validated`).
package struct RangingSettings: Sendable, Equatable {
    // MARK: Level

    /// How a level is made from readings.
    package var levelAlgorithm: LevelAlgorithm = .window
    /// Seconds of readings that the level is taken from. Short: a visitor walks 2 m in the default.
    package var levelWindow: Double = 2
    /// A beacon that is heard rarely reaches farther back than the window, for this many readings …
    package var minimumReadings: Int = 3
    /// … but not farther than this many seconds.
    package var levelReach: Double = 10
    /// How much more strong readings count than weak ones: 0 is the mean of the dBm values, 1 the mean of the
    /// received power. Fading only ever takes away much, so stronger readings are truer.
    package var strengthBias: Double = 1.25
    /// Decibels above the median of its window at which a reading is cut: no fading adds more. A quarter more where the
    /// window holds at most eight readings, whose median is itself uncertain.
    package var outlierLimit: Double = 12
    /// Standard deviation of one reading, in dB, until a beacon's own readings tell more.
    package var readingDeviation: Double = 5

    // MARK: Distance

    /// Path-loss exponent: level falls by ten times this many dB per tenfold distance. 2 in free space,
    /// less along a corridor, 3 and more through walls (ITU-R P.1238).
    package var pathLossExponent: Double = 2.2
    /// How wrong the exponent may be (standard deviation): halls have 0.4 to 2.8.
    package var pathLossExponentDeviation: Double = 0.65
    /// dB added to the measured power that beacons claim.
    package var measuredPowerCorrection: Double = 0
    /// How wrong the (corrected) measured power may be, in dB (standard deviation). What beacons claim is often
    /// 8 to 14 dB off; after a calibration this is 1 to 2.
    package var measuredPowerDeviation: Double = 5.75
    /// dB by which beacons are heard stronger indoors than they claim, on average: claims are measured with a telephone
    /// in the open. It moves the interval and the proximity, not the distance; without effect on a calibrated beacon.
    package var claimBias: Double = 3
    /// Metres at which beacons that are heard usually are (median) …
    package var typicalDistance: Double = 4
    /// … and the factor by which they are nearer or farther than that (standard deviation). It moves and narrows the
    /// interval the more, the less the level tells; 1e6 for not at all.
    package var typicalDistanceFactor: Double = 3.2
    /// What is known better about some beacons than their frames tell; the most exact constraint counts.
    package var corrections: [BeaconConstraint: BeaconCorrection] = [:]
    /// dB added to what a source reads: its antenna and its chip against the others'.
    package var receiverCorrections: [SourceID: Double] = [:]
    /// Shadowing by people and furniture that a short window does not average out, in dB (standard deviation).
    package var shadowingDeviation: Double = 3.8

    // MARK: Proximity

    /// Metres up to which a beacon is immediate.
    package var immediateDistance: Double = 0.5
    /// Metres up to which it is near.
    package var nearDistance: Double = 3
    /// A threshold is crossed only at this factor beyond it, on either side.
    package var proximityHysteresis: Double = 1.2
    /// Where high divided by low of the distance exceeds this, the proximity is unknown.
    package var widestInterval: Double = 25
    /// Seconds after which a beacon that is not heard has no proximity, and does not become the nearest.
    /// Longer for a beacon whose own interval is longer.
    package var staleAge: Double = 3

    // MARK: Nearest

    /// How much the level of a beacon at another one differs from visit to visit, in dB (standard deviation): by the
    /// spot and by the way that the visitor stands. It decides how fast claims are learned; 500 and more for not at
    /// all.
    package var placeDeviation: Double = 7
    /// How wrong the claims of a site's beacons may be against each other, in dB (standard deviation), where their own
    /// deviations are not smaller. It decides how much is learned; 0 for nothing.
    package var claimDeviation: Double = 4
    /// Margin in dB by which a challenger has to lead before the lead counts.
    package var nearestMargin: Double = 2
    /// Lead over all others, beyond the margin, that makes a challenger the nearest: dB × seconds.
    /// With the defaults a lead of 6 dB needs one second, a lead of 4 dB two.
    package var nearestEvidence: Double = 3.5
    /// The same over the present nearest alone, where several challengers dispute the place.
    package var disputedEvidence: Double = 12
    /// A beacon that was the nearest not long ago needs this many times more evidence to come back, for each time
    /// that it was left: two that cannot be told apart soon stop taking turns.
    package var returnPenalty: Double = 5
    /// The penalties together make the evidence at most this many times larger.
    package var returnPenaltyLimit: Double = 15
    /// Seconds in which a penalty halves.
    package var returnPenaltyHalfLife: Double = 10_000
    /// Standard deviations of a difference at which it is beyond doubt, and no penalty counts.
    package var decisiveDeviations: Double = 7
    /// dB behind the nearest that two which cannot be told apart do not have for long …
    package var partingMargin: Double = 8
    /// … so that this many dB × seconds beyond it end the penalty: the visitor went away, and may come back.
    package var partingEvidence: Double = 60

    // MARK: Enter and exit

    /// A beacon exits when it was not heard for this many of its own mean intervals (losses included) …
    package var exitIntervals: Double = 10
    /// … but not before this many seconds …
    package var exitFloor: Double = 5
    /// … and after at most this many.
    package var exitCap: Double = 30
    /// Seconds for which a beacon that has exited is remembered, with what was learned about its interval.
    package var memory: Double = 600

    /// Regions to watch.
    package var regions: [BeaconRegion] = []

    // MARK: Bounds

    /// Which identities are not believed.
    package var flood = FloodRules()

    /// Beacons tracked at once. When one more is heard, the one not heard for longest is forgotten.
    package var maximumBeacons: Int = 10_000

    /// The defaults.
    package init() {}

    /// These settings with every value inside the range in which the arithmetic holds.
    package var validated: RangingSettings {
        var valid = self
        valid.levelWindow = levelWindow.clamped(to: 0.01...3600)
        valid.minimumReadings = min(max(minimumReadings, 1), ReadingRing.capacity)
        valid.levelReach = levelReach.clamped(to: valid.levelWindow...86_400)
        valid.strengthBias = strengthBias.clamped(to: 0...3)
        valid.outlierLimit = outlierLimit.clamped(to: 0...255)
        valid.readingDeviation = readingDeviation.clamped(to: 0.1...50)
        valid.pathLossExponent = pathLossExponent.clamped(to: 0.5...10)
        valid.pathLossExponentDeviation = pathLossExponentDeviation.clamped(to: 0...5)
        valid.measuredPowerCorrection = measuredPowerCorrection.clamped(to: -255...255)
        valid.claimBias = claimBias.clamped(to: -60...60)
        valid.typicalDistance = typicalDistance.clamped(to: 0.01...1000)
        valid.typicalDistanceFactor = typicalDistanceFactor.clamped(to: 1.01...1e6)
        valid.measuredPowerDeviation = measuredPowerDeviation.clamped(to: 0...100)
        valid.shadowingDeviation = shadowingDeviation.clamped(to: 0...100)
        valid.immediateDistance = immediateDistance.clamped(to: 0...1000)
        valid.nearDistance = nearDistance.clamped(to: valid.immediateDistance...1000)
        valid.proximityHysteresis = proximityHysteresis.clamped(to: 1...10)
        valid.widestInterval = widestInterval.clamped(to: 1...1e9)
        valid.staleAge = staleAge.clamped(to: 0.01...86_400)
        valid.placeDeviation = placeDeviation.clamped(to: 0.1...1e6)
        valid.claimDeviation = claimDeviation.clamped(to: 0...100)
        valid.nearestMargin = nearestMargin.clamped(to: 0...255)
        valid.nearestEvidence = nearestEvidence.clamped(to: 0...1e6)
        valid.disputedEvidence = disputedEvidence.clamped(to: valid.nearestEvidence...1e6)
        valid.returnPenalty = returnPenalty.clamped(to: 0...1e3)
        valid.returnPenaltyLimit = returnPenaltyLimit.clamped(to: 1...1e3)
        valid.returnPenaltyHalfLife = returnPenaltyHalfLife.clamped(to: 1...1e6)
        valid.decisiveDeviations = decisiveDeviations.clamped(to: 0...1e3)
        valid.partingMargin = partingMargin.clamped(to: 0...255)
        valid.partingEvidence = partingEvidence.clamped(to: 0...1e6)
        valid.exitIntervals = exitIntervals.clamped(to: 1...1e3)
        valid.exitFloor = exitFloor.clamped(to: 0.01...86_400)
        valid.exitCap = exitCap.clamped(to: valid.exitFloor...86_400)
        valid.memory = memory.clamped(to: valid.exitCap...1e7)
        valid.corrections = corrections.mapValues(\.validated)
        valid.receiverCorrections = receiverCorrections.mapValues { $0.clamped(to: -255...255) }
        valid.regions = regions.map(\.validated)
        valid.flood = flood.validated
        valid.maximumBeacons = min(max(maximumBeacons, 1), 1_000_000)
        return valid
    }
}
