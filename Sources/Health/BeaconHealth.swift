package import Beacon

/// What is wrong with a beacon, since when, and why that is believed.
package struct HealthProblem: Hashable, Sendable, Codable {
    /// The kinds of problems, by their names in every documented format (docs/health.md).
    package enum Kind: String, CaseIterable, Sendable, Codable, Comparable {
        /// It is not heard, although the scanners that usually hear it can.
        case missing
        /// All scanners hear it weaker than usual.
        case weak
        /// It sends less often than usual.
        case slow
        /// Its pattern over the scanners has changed.
        case moved
        /// The measured power that it claims cannot be right.
        case claim
        /// Something else sends its identity as well.
        case impostor
        /// Its battery is nearly empty, as it says itself.
        case battery

        /// For people, after "is".
        package var word: String {
            switch self {
            case .claim: "with a wrong measured power"
            case .impostor: "sent by two"
            case .battery: "low on battery"
            case .missing, .weak, .slow, .moved: rawValue
            }
        }

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package var kind: Kind
    /// Seconds since 1970: when it began, as far as is known.
    package var since: Int64
    /// For people, in words and figures, as it was when the problem was told.
    package var evidence: String

    package init(kind: Kind, since: Int64, evidence: String) {
        self.kind = kind
        self.since = since
        self.evidence = evidence
    }
}

/// The health of one beacon.
package struct BeaconHealth: Hashable, Sendable {
    package var beacon: BeaconID
    /// In the order of their kinds. Empty for a beacon that is well.
    package var problems: [HealthProblem]
    /// dBm: of the scanner that hears it best; nil while it is silent.
    package var level: Double?
    /// Seconds between two packets; nil where that is not known.
    package var interval: Double?
    /// Percent, as the beacon says; nil where it does not.
    package var battery: Int?
    /// Seconds since 1970, to the minute; nil if it was never heard.
    package var lastHeard: Int64?
    /// Whether enough was heard to know what is usual.
    package var isLearned: Bool

    package init(
        beacon: BeaconID, problems: [HealthProblem] = [], level: Double? = nil, interval: Double? = nil,
        battery: Int? = nil, lastHeard: Int64? = nil, isLearned: Bool = false
    ) {
        self.beacon = beacon
        self.problems = problems
        self.level = level
        self.interval = interval
        self.battery = battery
        self.lastHeard = lastHeard
        self.isLearned = isLearned
    }
}
