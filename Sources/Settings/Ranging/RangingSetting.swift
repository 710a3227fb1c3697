import Ranging

/// One value below `ranging:` in the configuration: where it stands, what it may hold, and what it is for.
package struct RangingSetting: Sendable {
    /// With dots between the levels: `ranging.flood.pairs_per_uuid`.
    package let name: String
    /// For the documentation.
    package let help: String
    let value: Value

    typealias Path<Member> = WritableKeyPath<RangingConfiguration, Member> & Sendable

    /// What it may hold, and where that goes.
    enum Value: Sendable {
        case number(ClosedRange<Double>, any Path<Double>)
        case count(ClosedRange<Int64>, any Path<Int>)
        /// A count where 0 stands for none.
        case limit(ClosedRange<Int64>, any Path<Int?>)
        case filter(any Path<LevelAlgorithm>)
    }

    private init(_ name: String, _ help: String, _ value: Value) {
        self.name = "ranging." + name
        self.help = help
        self.value = value
    }

    /// The variable that overrides it: `BEACOND_RANGING_NEAR_M`.
    package var variable: String {
        "BEACOND_" + name.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }

    /// What it is by default, as one writes it.
    package var standard: String {
        let site = RangingConfiguration()
        switch value {
        case .number(_, let path):
            let number = site[keyPath: path]
            return number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .count(_, let path): return "\(site[keyPath: path])"
        case .limit(_, let path): return "\(site[keyPath: path] ?? 0)"
        case .filter(let path): return site[keyPath: path].rawValue
        }
    }

    /// All of them.
    package static let all: [RangingSetting] = level + distance + proximity + nearest + presence

    private static let level: [RangingSetting] = [
        .init(
            "filter", "How readings become a level. `window` is this project's; the others are for comparison.",
            .filter(\.settings.levelAlgorithm)),
        .init("window_s", "Time that the level is taken from.", .number(0.1...60, \.settings.levelWindow)),
        .init(
            "minimum_readings", "A beacon that is heard rarely reaches back for so many readings…",
            .count(1...24, \.settings.minimumReadings)),
        .init("reach_s", "… but not farther than this.", .number(0.1...600, \.settings.levelReach)),
        .init(
            "strength_bias", "How much more strong readings count: 0 is the mean of dBm, 1 of the power.",
            .number(0...3, \.settings.strengthBias)),
        .init(
            "outlier_db", "How far above the median of its window a reading is cut.",
            .number(0...100, \.settings.outlierLimit)),
        .init(
            "reading_deviation_db", "Standard deviation of a reading, until its own say more.",
            .number(0.5...20, \.settings.readingDeviation)),
    ]

    private static let distance: [RangingSetting] = [
        .init(
            "path_loss_exponent", "2 in the open, about 2.2 indoors, more through walls.",
            .number(0.5...6, \.settings.pathLossExponent)),
        .init(
            "path_loss_exponent_deviation", "How wrong that may be.",
            .number(0...2, \.settings.pathLossExponentDeviation)),
        .init(
            "measured_power_correction_db", "Added to what beacons claim to send at 1 m.",
            .number(-60...60, \.settings.measuredPowerCorrection)),
        .init(
            "claim_bias_db", "How much stronger than they claim beacons are on average; it moves the interval only.",
            .number(-60...60, \.settings.claimBias)),
        .init(
            "typical_distance_m", "Where beacons that are heard usually are; it moves the interval only.",
            .number(0.1...1000, \.settings.typicalDistance)),
        .init(
            "typical_distance_factor", "By how much they are nearer or farther (1000000: anywhere).",
            .number(1.1...1_000_000, \.settings.typicalDistanceFactor)),
        .init(
            "measured_power_deviation_db", "How wrong the claims may be.",
            .number(0...30, \.settings.measuredPowerDeviation)),
        .init(
            "shadowing_deviation_db", "What people and furniture change, and no window averages out.",
            .number(0...20, \.settings.shadowingDeviation)),
    ]

    private static let proximity: [RangingSetting] = [
        .init("immediate_m", "Up to here a beacon is immediate.", .number(0.01...100, \.settings.immediateDistance)),
        .init("near_m", "Up to here a beacon is near.", .number(0.01...1000, \.settings.nearDistance)),
        .init(
            "proximity_hysteresis", "The factor beyond a border at which it is crossed.",
            .number(1...10, \.settings.proximityHysteresis)),
        .init(
            "widest_interval",
            "Where the ends of the distance's interval differ by more than this factor, the proximity is unknown.",
            .number(1...1_000_000, \.settings.widestInterval)),
        .init(
            "stale_s", "Silence after which a beacon has no proximity and does not become the nearest.",
            .number(0.1...3600, \.settings.staleAge)),
    ]

    private static let nearest: [RangingSetting] = [
        .init(
            "place_deviation_db",
            "How much a beacon's level at another one differs from visit to visit (1000: learn no claims).",
            .number(1...1000, \.settings.placeDeviation)),
        .init(
            "claim_deviation_db", "How wrong the claims may be against each other (0: learn no claims).",
            .number(0...30, \.settings.claimDeviation)),
        .init("nearest_margin_db", "A lead counts beyond this.", .number(0...60, \.settings.nearestMargin)),
        .init(
            "nearest_evidence_db_s", "Lead over all others, summed over time, that makes a beacon the nearest.",
            .number(0...10_000, \.settings.nearestEvidence)),
        .init(
            "disputed_evidence_db_s", "The same over the nearest alone, where several dispute the place.",
            .number(0...10_000, \.settings.disputedEvidence)),
        .init(
            "return_penalty", "So many times more evidence to come back, for each time that it was left.",
            .number(0...100, \.settings.returnPenalty)),
        .init(
            "return_penalty_limit", "At most so many times more.", .number(1...100, \.settings.returnPenaltyLimit)),
        .init(
            "return_penalty_half_life_s", "Time in which the penalty halves.",
            .number(1...1_000_000, \.settings.returnPenaltyHalfLife)),
        .init(
            "decisive_deviations", "Standard deviations of lead at which no penalty counts.",
            .number(0...100, \.settings.decisiveDeviations)),
        .init(
            "parting_margin_db", "Being behind by more than this…", .number(0...100, \.settings.partingMargin)),
        .init(
            "parting_evidence_db_s", "… for so long ends the penalty.",
            .number(0...100_000, \.settings.partingEvidence)),
        .init("interval_s", "Time between two rankings.", .number(0.1...60, \.interval)),
    ]

    private static let presence: [RangingSetting] = [
        .init(
            "exit_intervals", "A beacon has left after so many of its own mean intervals of silence…",
            .number(1...1000, \.settings.exitIntervals)),
        .init("exit_floor_s", "… but not before this…", .number(0.5...3600, \.settings.exitFloor)),
        .init("exit_cap_s", "… and not after this.", .number(1...3600, \.settings.exitCap)),
        .init(
            "memory_s", "How long a beacon that has left is remembered, at least `ranging.exit_cap_s`.",
            .number(1...1_000_000, \.settings.memory)),
        .init(
            "maximum_beacons", "Beacons tracked at once.", .count(1...1_000_000, \.settings.maximumBeacons)),
        .init(
            "flood.identities_per_address", "From so many identities on, an address is ignored (0: never).",
            .limit(0...1000, \.settings.flood.identitiesPerAddress)),
        .init(
            "flood.addresses_per_identity", "From so many addresses on, an identity counts as rotating (0: never).",
            .limit(0...1000, \.settings.flood.addressesPerIdentity)),
        .init(
            "flood.pairs_per_uuid", "With more pairs of major and minor than this, a UUID is ignored (0: never).",
            .limit(0...10_000, \.settings.flood.pairsPerUUID)),
    ]

    /// Pairs of which the second must not be less than the first.
    static let orders: [(less: String, more: String)] = [
        ("ranging.window_s", "ranging.reach_s"), ("ranging.immediate_m", "ranging.near_m"),
        ("ranging.nearest_evidence_db_s", "ranging.disputed_evidence_db_s"),
        ("ranging.exit_floor_s", "ranging.exit_cap_s"),
    ]
}
