import Ranging

// How levels become a ranking, and which places are watched.
extension Setting {
    static let ranging: [Setting] = [
        Setting(
            "ranging.filter", .choice(LevelAlgorithm.allCases.map(\.rawValue), \.ranging.settings.levelAlgorithm.word),
            .used,
            "how readings become a level: `window` is this project's; `altbeacon-mean`, `arma`, `ewma` and "
                + "`kalman` are those of other scanners, for comparison"),
        Setting(
            "ranging.window_s", .number(0.1...60, \.ranging.settings.levelWindow), .used,
            "seconds of readings that the level is taken from"),
        Setting(
            "ranging.minimum_readings", .count(1...24, \.ranging.settings.minimumReadings), .used,
            "for a beacon that is received rarely, the level reaches back for so many readings …"),
        Setting(
            "ranging.reach_s", .number(0.1...600, \.ranging.settings.levelReach), .used,
            "… but not farther than so many seconds"),
        Setting(
            "ranging.strength_bias", .number(0...3, \.ranging.settings.strengthBias), .used,
            "how much more strong readings count: 0 is the mean of the dBm, 1 the mean of the power"),
        Setting(
            "ranging.outlier_db", .number(0...100, \.ranging.settings.outlierLimit), .used,
            "dB above the median of its window at which a reading is cut; a quarter more where the window holds at "
                + "most eight readings"),
        Setting(
            "ranging.reading_deviation_db", .number(0.5...20, \.ranging.settings.readingDeviation), .used,
            "standard deviation of one reading, until a beacon's own readings show it"),
        Setting(
            "ranging.path_loss_exponent", .number(0.5...6, \.ranging.settings.pathLossExponent), .used,
            "2 in the open, about 2.2 indoors, more through walls"),
        Setting(
            "ranging.path_loss_exponent_deviation", .number(0...2, \.ranging.settings.pathLossExponentDeviation), .used,
            "its standard deviation"),
        Setting(
            "ranging.measured_power_correction_db", .number(-60...60, \.ranging.settings.measuredPowerCorrection),
            .used,
            "added to what beacons claim to send at 1 m"),
        Setting(
            "ranging.claim_bias_db", .number(-60...60, \.ranging.settings.claimBias), .used,
            "how much more strongly beacons are received than they claim, on average, in dB; it moves only the "
                + "interval, and has no effect on a calibrated beacon"),
        Setting(
            "ranging.typical_distance_m", .number(0.1...1000, \.ranging.settings.typicalDistance), .used,
            "median distance, in metres, of the beacons that are received; it moves only the interval, and "
                + "more so if the level is uncertain"),
        Setting(
            "ranging.typical_distance_factor", .number(1.1...1_000_000, \.ranging.settings.typicalDistanceFactor),
            .used,
            "the factor by which they are nearer or farther than that (standard deviation); 1000000 for anywhere"),
        Setting(
            "ranging.measured_power_deviation_db", .number(0...30, \.ranging.settings.measuredPowerDeviation), .used,
            "standard deviation of the claims"),
        Setting(
            "ranging.shadowing_deviation_db", .number(0...20, \.ranging.settings.shadowingDeviation), .used,
            "standard deviation of shadowing by people and furniture, which no window averages out"),
        Setting(
            "ranging.immediate_m", .number(0.01...100, \.ranging.settings.immediateDistance), .used,
            "metres up to which a beacon is `immediate`"),
        Setting(
            "ranging.near_m", .number(0.01...1000, \.ranging.settings.nearDistance), .used,
            "metres up to which a beacon is `near`"),
        Setting(
            "ranging.proximity_hysteresis", .number(1...10, \.ranging.settings.proximityHysteresis), .used,
            "the factor beyond a threshold at which it counts as crossed"),
        Setting(
            "ranging.widest_interval", .number(1...1_000_000, \.ranging.settings.widestInterval), .used,
            "if the ends of the distance's interval differ by more than this factor, the proximity is `unknown`"),
        Setting(
            "ranging.stale_s", .number(0.1...3600, \.ranging.settings.staleAge), .used,
            "seconds of silence after which a beacon has no proximity and does not become the nearest; longer for "
                + "slow beacons"),
        Setting(
            "ranging.place_deviation_db", .number(1...1000, \.ranging.settings.placeDeviation), .used,
            "standard deviation, from visit to visit, of a beacon's level at another one; it decides how fast "
                + "claims are learned; 500 and more for not at all"),
        Setting(
            "ranging.claim_deviation_db", .number(0...30, \.ranging.settings.claimDeviation), .used,
            "standard deviation of the claims relative to each other; it decides how much is learned; 0 for nothing"),
        Setting(
            "ranging.nearest_margin_db", .number(0...60, \.ranging.settings.nearestMargin), .used,
            "dB by which a lead must exceed the others before it counts"),
        Setting(
            "ranging.nearest_evidence_db_s", .number(0...10_000, \.ranging.settings.nearestEvidence), .used,
            "lead over all others, beyond the margin and summed over time, that makes a beacon the nearest"),
        Setting(
            "ranging.disputed_evidence_db_s", .number(0...10_000, \.ranging.settings.disputedEvidence), .used,
            "the same over the current nearest alone, if several challengers compete"),
        Setting(
            "ranging.return_penalty", .number(0...100, \.ranging.settings.returnPenalty), .used,
            "a beacon that ceased to be the nearest needs so many times more evidence to become it again, for "
                + "each time that it ceased"),
        Setting(
            "ranging.return_penalty_limit", .number(1...100, \.ranging.settings.returnPenaltyLimit), .used,
            "at most so many times more"),
        Setting(
            "ranging.return_penalty_half_life_s", .number(1...1_000_000, \.ranging.settings.returnPenaltyHalfLife),
            .used,
            "seconds in which that halves"),
        Setting(
            "ranging.decisive_deviations", .number(0...100, \.ranging.settings.decisiveDeviations), .used,
            "a lead of this many standard deviations makes the penalty void"),
        Setting(
            "ranging.parting_margin_db", .number(0...100, \.ranging.settings.partingMargin), .used,
            "being behind the nearest by more than this …"),
        Setting(
            "ranging.parting_evidence_db_s", .number(0...100_000, \.ranging.settings.partingEvidence), .used,
            "… until it sums up to this ends the penalty"),
        Setting(
            "ranging.interval_s", .number(0.1...60, \.ranging.interval), .used,
            "seconds between two rankings; three while no beacon is present, or one in a fleet"),
        Setting(
            "ranging.exit_intervals", .number(1...1000, \.ranging.settings.exitIntervals), .used,
            "a beacon has left after so many of its own mean intervals of silence …"),
        Setting(
            "ranging.exit_floor_s", .number(0.5...3600, \.ranging.settings.exitFloor), .used,
            "… but not before so many seconds …"),
        Setting(
            "ranging.exit_cap_s", .number(1...3600, \.ranging.settings.exitCap), .used,
            "… and after so many at the latest"),
        Setting(
            "ranging.memory_s", .number(1...1_000_000, \.ranging.settings.memory), .used,
            "seconds for which a beacon that has left is remembered, at least `ranging.exit_cap_s`"),
        Setting(
            "ranging.maximum_beacons", .count(1...1_000_000, \.ranging.settings.maximumBeacons), .used,
            "the maximum number of beacons tracked; one more replaces the one that has been silent for longest"),
        Setting(
            "ranging.flood.identities_per_address", .limit(0...1000, \.ranging.settings.flood.identitiesPerAddress),
            .used,
            "an address that sends so many identities is ignored; 0 for never (a home: 10)"),
        Setting(
            "ranging.flood.addresses_per_identity", .limit(0...1000, \.ranging.settings.flood.addressesPerIdentity),
            .used,
            "an identity that is sent from so many addresses counts as rotating, and its addresses do not "
                + "count against other identities; 0 for never (a home: 10)"),
        Setting(
            "ranging.flood.pairs_per_uuid", .limit(0...10_000, \.ranging.settings.flood.pairsPerUUID), .used,
            "with more pairs of major and minor than this, a UUID is ignored; 0 for never (a home: 50)"),
    ]

    static let tables: [Setting] = [
        Setting(
            "ranging.corrections", .table, .used,
            "what is known about some beacons better than they claim, see below"),
        Setting(
            "ranging.receivers", .table, .used,
            "dB added to a source's readings, by its name in `sources`, see below"),
        Setting(
            "regions", .table, .restarts(["history"]),
            "places to watch, defined by their beacons, see below"),
        Setting(
            "beacons", .table, .used,
            "names of beacons, and which of them are expected, see below"),
    ]

    /// Pairs of which the second must not be less than the first.
    static let orders: [(less: any Path<Double>, more: any Path<Double>)] = [
        (\.ranging.settings.levelWindow, \.ranging.settings.levelReach),
        (\.ranging.settings.immediateDistance, \.ranging.settings.nearDistance),
        (\.ranging.settings.nearestEvidence, \.ranging.settings.disputedEvidence),
        (\.ranging.settings.exitFloor, \.ranging.settings.exitCap),
    ]
}
