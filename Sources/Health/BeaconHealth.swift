package import Beacon

/// A problem of a beacon: its kind, since when it exists, and the evidence.
package struct HealthProblem: Hashable, Sendable, Codable {
    /// The kinds of problems, by their names in every documented format (docs/health.md).
    package enum Kind: String, CaseIterable, Sendable, Codable, Comparable {
        /// It is not received, although the scanners that usually receive it are not blind.
        case missing
        /// All scanners receive it weaker than usual.
        case weak
        /// It sends less often than usual.
        case slow
        /// Its levels at the scanners have changed as if it had been moved.
        case moved
        /// The measured power that it claims cannot be right.
        case claim
        /// Another device sends the same identity.
        case impostor
        /// Its battery is nearly empty, according to the beacon itself.
        case battery

        /// The problem in words, to follow "is".
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
    /// When the problem began, as far as is known; seconds since 1970.
    package var since: Int64
    /// The evidence for people, in words and figures, as it was when the problem was reported.
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
    /// The problems in the order of their kinds. Empty for a healthy beacon.
    package var problems: [HealthProblem]
    /// dBm, at the scanner that receives it best; nil while it is silent.
    package var level: Double?
    /// Seconds between two packets; nil if unknown.
    package var interval: Double?
    /// Percent, as the beacon reports; nil if it does not.
    package var battery: Int?
    /// Seconds since 1970, to the minute; nil if it was never received.
    package var lastHeard: Int64?
    /// Whether enough was received to know what is usual.
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
