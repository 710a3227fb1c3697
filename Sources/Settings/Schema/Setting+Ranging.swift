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
            "a beacon that is heard rarely reaches back for so many readings …"),
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
            "standard deviation of one reading, until a beacon's own readings tell more"),
        Setting(
            "ranging.path_loss_exponent", .number(0.5...6, \.ranging.settings.pathLossExponent), .used,
            "2 in the open, about 2.2 indoors, more through walls"),
        Setting(
            "ranging.path_loss_exponent_deviation", .number(0...2, \.ranging.settings.pathLossExponentDeviation), .used,
            "how wrong that may be (standard deviation)"),
        Setting(
            "ranging.measured_power_correction_db", .number(-60...60, \.ranging.settings.measuredPowerCorrection),
            .used,
            "added to what beacons claim to send at 1 m"),
        Setting(
            "ranging.claim_bias_db", .number(-60...60, \.ranging.settings.claimBias), .used,
            "how much stronger than they claim beacons are heard on average, in dB; it moves the interval only, "
                + "and counts nothing for a calibrated beacon"),
        Setting(
            "ranging.typical_distance_m", .number(0.1...1000, \.ranging.settings.typicalDistance), .used,
            "metres at which beacons that are heard usually are (median); it moves the interval only, the more the "
                + "less the level tells"),
        Setting(
            "ranging.typical_distance_factor", .number(1.1...1_000_000, \.ranging.settings.typicalDistanceFactor),
            .used,
            "the factor by which they are nearer or farther than that (standard deviation); 1000000 for anywhere"),
        Setting(
            "ranging.measured_power_deviation_db", .number(0...30, \.ranging.settings.measuredPowerDeviation), .used,
            "how wrong the claims may be (standard deviation)"),
        Setting(
            "ranging.shadowing_deviation_db", .number(0...20, \.ranging.settings.shadowingDeviation), .used,
            "what people and furniture change and no window averages out (standard deviation)"),
        Setting(
            "ranging.immediate_m", .number(0.01...100, \.ranging.settings.immediateDistance), .used,
            "metres up to which a beacon is `immediate`"),
        Setting(
            "ranging.near_m", .number(0.01...1000, \.ranging.settings.nearDistance), .used,
            "metres up to which a beacon is `near`"),
        Setting(
            "ranging.proximity_hysteresis", .number(1...10, \.ranging.settings.proximityHysteresis), .used,
            "the factor beyond a border at which it is crossed"),
        Setting(
            "ranging.widest_interval", .number(1...1_000_000, \.ranging.settings.widestInterval), .used,
            "where the ends of the distance's interval differ by more than this factor, the proximity is `unknown`"),
        Setting(
            "ranging.stale_s", .number(0.1...3600, \.ranging.settings.staleAge), .used,
            "seconds of silence after which a beacon has no proximity and does not become the nearest; longer for "
                + "slow beacons"),
        Setting(
            "ranging.place_deviation_db", .number(1...1000, \.ranging.settings.placeDeviation), .used,
            "how much a beacon's level at another one differs from visit to visit (standard deviation); it decides "
                + "how fast claims are learned; 500 and more for not at all"),
        Setting(
            "ranging.claim_deviation_db", .number(0...30, \.ranging.settings.claimDeviation), .used,
            "how wrong the claims may be against each other (standard deviation); it decides how much is learned; "
                + "0 for nothing"),
        Setting(
            "ranging.nearest_margin_db", .number(0...60, \.ranging.settings.nearestMargin), .used,
            "a lead counts beyond this"),
        Setting(
            "ranging.nearest_evidence_db_s", .number(0...10_000, \.ranging.settings.nearestEvidence), .used,
            "lead over all others, beyond the margin and summed over time, that makes a beacon the nearest"),
        Setting(
            "ranging.disputed_evidence_db_s", .number(0...10_000, \.ranging.settings.disputedEvidence), .used,
            "the same over the present nearest alone, where several dispute the place"),
        Setting(
            "ranging.return_penalty", .number(0...100, \.ranging.settings.returnPenalty), .used,
            "a beacon that was left needs so many times more evidence to come back, for each time that it was"),
        Setting(
            "ranging.return_penalty_limit", .number(1...100, \.ranging.settings.returnPenaltyLimit), .used,
            "at most so many times more"),
        Setting(
            "ranging.return_penalty_half_life_s", .number(1...1_000_000, \.ranging.settings.returnPenaltyHalfLife),
            .used,
            "seconds in which that halves"),
        Setting(
            "ranging.decisive_deviations", .number(0...100, \.ranging.settings.decisiveDeviations), .used,
            "standard deviations of lead at which no penalty counts"),
        Setting(
            "ranging.parting_margin_db", .number(0...100, \.ranging.settings.partingMargin), .used,
            "being behind by more than this …"),
        Setting(
            "ranging.parting_evidence_db_s", .number(0...100_000, \.ranging.settings.partingEvidence), .used,
            "… so that it sums up to this ends the penalty"),
        Setting(
            "ranging.interval_s", .number(0.1...60, \.ranging.interval), .used,
            "seconds between two rankings"),
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
            "beacons tracked at once; one more takes the place of the one not heard for longest"),
        Setting(
            "ranging.flood.identities_per_address", .limit(0...1000, \.ranging.settings.flood.identitiesPerAddress),
            .used,
            "from so many identities on, an address is ignored; 0 for never (a home: 10)"),
        Setting(
            "ranging.flood.addresses_per_identity", .limit(0...1000, \.ranging.settings.flood.addressesPerIdentity),
            .used,
            "from so many addresses on, an identity counts as rotating, and its addresses are not held against "
                + "others; 0 for never (a home: 10)"),
        Setting(
            "ranging.flood.pairs_per_uuid", .limit(0...10_000, \.ranging.settings.flood.pairsPerUUID), .used,
            "with more pairs of major and minor than this, a UUID is ignored; 0 for never (a home: 50)"),
    ]

    static let tables: [Setting] = [
        Setting(
            "ranging.corrections", .table, .used,
            "what is known better about some beacons than they claim, see below"),
        Setting(
            "ranging.receivers", .table, .used,
            "dB added to what a source reads, by its name in `sources`, see below"),
        Setting(
            "regions", .table, .restarts(["history"]),
            "places to watch, known by their beacons, see below"),
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
