/// How regularly a beacon is received, and how long it is usually silent. Only minutes in which the scanner was not
/// blind count.
struct UsualPresence: Hashable, Sendable {
    /// Minutes since it was first received.
    var age = 0.0
    /// The share of minutes in which it is received, over a week.
    var share = 1.0
    /// Minutes of the current silence.
    var silence = 0.0
    /// Minutes.
    var silences = Extremes()

    /// Minutes that a beacon must be known before its absence can mean anything, if it is not always present.
    static let carriedAge = 21_600.0
    /// The fewest minutes of silence that mean anything, and the same for a faint beacon.
    static let least = 5.0
    static let leastOfFaint = 240.0

    mutating func hear() {
        if silence >= 1 { silences.add(silence) }
        silence = 0
        note(1)
    }

    /// - Parameter missingAfter: minutes of silence after which the beacon is missing; nil if unknown.
    mutating func miss(missingAfter: Int?) {
        silence += 1
        silences.fade()
        age += 1
        // A missing beacon has not become one that is received rarely.
        if missingAfter.map({ silence < Double($0) }) ?? true { share += (0 - share) / min(age, UsualLevel.memory) }
    }

    private mutating func note(_ value: Double) {
        age += 1
        share += (value - share) / min(age, UsualLevel.memory)
        silences.fade()
    }

    /// Minutes of silence after which the beacon is missing; nil if not enough is known.
    ///
    /// - Parameters:
    ///   - learning: minutes until something counts as usual.
    ///   - heard: minutes in which it was received at this place.
    ///   - isFaint: its packets are received by chance.
    func missingAfter(settledAfter learning: Double, heard: Double, isFaint: Bool) -> Int? {
        // The beacon may have been away once, so for one that is always present the longest silence does not count.
        let usual = silences.second + 2 * silences.third
        if share >= 0.5 {
            guard heard >= learning else { return nil }
            let least = isFaint ? Self.leastOfFaint : share >= 0.8 ? Self.least : 30
            return Int(min(1e6, least + usual))
        }
        // The beacon is carried about, or switched off at night. A visitor's beacon has not come back yet.
        guard age >= Self.carriedAge, share >= 0.05, silences.third >= 60 else { return nil }
        return Int(min(1e6, max(1440, silences.first + 2 * silences.third)))
    }

    var isSound: Bool {
        [age, silence].allSatisfy { (0...1e12).contains($0) } && (0...1).contains(share) && silences.isSound
    }
}
