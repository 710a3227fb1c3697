package import Beacon

/// Everything about ranging that a site can set. The defaults suit a walk past beacons that advertise
/// every 100 ms to 1 s. Values out of range are moved to the nearest valid one (`validated`).
package struct RangingSettings: Sendable, Equatable {
    // MARK: Level

    /// How a level is made from readings.
    package var levelAlgorithm: LevelAlgorithm = .window
    /// Seconds of readings that the level is computed from. It is short: in the default, a visitor walks 2 m.
    package var levelWindow: Double = 2
    /// For a beacon that is received rarely, the level reaches farther back than the window, to this many readings …
    package var minimumReadings: Int = 3
    /// … but not farther than this many seconds.
    package var levelReach: Double = 10
    /// How much more strong readings count than weak ones: 0 is the mean of the dBm values, 1 the mean of the
    /// received power. Fading weakens much more than it strengthens, so strong readings are more accurate.
    package var strengthBias: Double = 1.25
    /// dB above the median of its window at which a reading is cut, because fading adds no more. A quarter more if the
    /// window has at most eight readings, because their median is itself uncertain.
    package var outlierLimit: Double = 12
    /// Standard deviation of one reading, in dB, until a beacon's own readings show it.
    package var readingDeviation: Double = 5

    // MARK: Distance

    /// Path-loss exponent: the level falls by ten times this many dB per tenfold distance. 2 in free space,
    /// less along a corridor, 3 and more through walls (ITU-R P.1238).
    package var pathLossExponent: Double = 2.2
    /// Standard deviation of the exponent: halls have 0.4 to 2.8.
    package var pathLossExponentDeviation: Double = 0.65
    /// dB added to the measured power that beacons claim.
    package var measuredPowerCorrection: Double = 0
    /// Standard deviation of the (corrected) measured power, in dB. Claims are often off by 8 to 14 dB. After a
    /// calibration it is 1 to 2 dB.
    package var measuredPowerDeviation: Double = 5.75
    /// dB by which beacons are received more strongly indoors than they claim, on average: claims are measured with a
    /// phone outdoors. It moves the interval and the proximity, but not the distance. No effect on a calibrated beacon.
    package var claimBias: Double = 3
    /// Median distance, in metres, of the beacons that are received …
    package var typicalDistance: Double = 4
    /// … and the factor by which they are nearer or farther than that (standard deviation). The less certain the level
    /// is, the more this moves and narrows the interval; 1e6 for not at all.
    package var typicalDistanceFactor: Double = 3.2
    /// What is known about some beacons better than their frames say. The most exact constraint counts.
    package var corrections: [BeaconConstraint: BeaconCorrection] = [:]
    /// dB added to a source's readings, for the differences between antennas and chips.
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
    /// If the distance's high divided by its low exceeds this, the proximity is unknown.
    package var widestInterval: Double = 25
    /// Seconds after which a beacon that is not received has no proximity and does not become the nearest.
    /// Longer for a beacon with a longer interval.
    package var staleAge: Double = 3

    // MARK: Nearest

    /// Standard deviation, in dB, from visit to visit, of the level with which one beacon is received at another: by
    /// the spot and by the visitor's posture. It decides how fast claims are learned; 500 or more for not at all.
    package var placeDeviation: Double = 7
    /// Standard deviation, in dB, of the claims of a site's beacons relative to each other, unless their own deviations
    /// are smaller. It decides how much is learned; 0 for nothing.
    package var claimDeviation: Double = 4
    /// Margin in dB by which a challenger has to lead before the lead counts.
    package var nearestMargin: Double = 2
    /// Lead over all others, beyond the margin, that makes a challenger the nearest: dB × seconds.
    /// With the defaults a lead of 6 dB needs one second, a lead of 4 dB two.
    package var nearestEvidence: Double = 3.5
    /// The same over the current nearest alone, for when several challengers compete.
    package var disputedEvidence: Double = 12
    /// A beacon that was the nearest recently needs this many times more evidence to become it again, for each time
    /// that it ceased to be. So two beacons that cannot be told apart soon stop alternating.
    package var returnPenalty: Double = 5
    /// The penalties together make the evidence at most this many times larger.
    package var returnPenaltyLimit: Double = 15
    /// Seconds in which a penalty halves.
    package var returnPenaltyHalfLife: Double = 10_000
    /// A lead of this many standard deviations is beyond doubt, and no penalty counts.
    package var decisiveDeviations: Double = 7
    /// dB behind the nearest that a beacon which cannot be told apart from it does not stay for long …
    package var partingMargin: Double = 8
    /// … so this many dB × seconds beyond it end the penalty: the visitor has walked away, and may come back.
    package var partingEvidence: Double = 60

    // MARK: Enter and exit

    /// A beacon exits when it was not received for this many of its own mean intervals (losses included) …
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

    /// Which identities are ignored.
    package var flood = FloodRules()

    /// The maximum number of beacons tracked. One more replaces the one that has been silent for longest.
    package var maximumBeacons: Int = 10_000

    /// The defaults.
    package init() {}

    /// These settings with every value inside the range in which the arithmetic is valid.
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
