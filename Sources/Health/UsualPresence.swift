/// How regularly a beacon is heard, and how long it is silent usually. Only minutes count in which the scanner could
/// hear.
struct UsualPresence: Hashable, Sendable {
    /// Minutes since it was heard first.
    var age = 0.0
    /// The share of minutes in which it is heard, in a week.
    var share = 1.0
    /// Minutes of silence up to now.
    var silence = 0.0
    /// Minutes.
    var silences = Extremes()

    /// Minutes that a beacon must be known before its absence can mean something, if it is not always there.
    static let carriedAge = 21_600.0
    /// Minutes of silence that mean something at least, and of a faint beacon.
    static let least = 5.0
    static let leastOfFaint = 240.0

    mutating func hear() {
        if silence >= 1 { silences.add(silence) }
        silence = 0
        note(1)
    }

    /// - Parameter patience: what `patience` said before; nil where it is not known.
    mutating func miss(patience: Int?) {
        silence += 1
        silences.fade()
        age += 1
        // What is missing has not become something that is heard seldom.
        if patience.map({ silence < Double($0) }) ?? true { share += (0 - share) / min(age, UsualLevel.memory) }
    }

    private mutating func note(_ value: Double) {
        age += 1
        share += (value - share) / min(age, UsualLevel.memory)
        silences.fade()
    }

    /// Minutes of silence after which the beacon is missing; nil where not enough is known.
    ///
    /// - Parameters:
    ///   - learning: minutes until something counts as usual.
    ///   - heard: minutes in which it was heard at this place.
    ///   - isFaint: its packets are received by chance.
    func patience(settledAfter learning: Double, heard: Double, isFaint: Bool) -> Int? {
        // Once it may have been away, so the longest says nothing of a beacon that is always there.
        let usual = silences.second + 2 * silences.third
        if share >= 0.5 {
            guard heard >= learning else { return nil }
            let least = isFaint ? Self.leastOfFaint : share >= 0.8 ? Self.least : 30
            return Int(min(1e6, least + usual))
        }
        // Carried about, or switched off at night. A visitor's has not come back yet.
        guard age >= Self.carriedAge, share >= 0.05, silences.third >= 60 else { return nil }
        return Int(min(1e6, max(1440, silences.first + 2 * silences.third)))
    }

    var isSound: Bool {
        [age, silence].allSatisfy { (0...1e12).contains($0) } && (0...1).contains(share) && silences.isSound
    }
}
