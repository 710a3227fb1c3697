// The state of a beacon at a scanner that is kept over restarts, as a row of numbers.
extension Reception {
    /// The numbers in a fixed order; -1 for an unknown one.
    package var numbers: [Double] {
        let percent = battery.map { Double($0) } ?? -1
        return [
            presence.age, presence.share, presence.silence, presence.silences.first, presence.silences.second,
            presence.silences.third, level.count, level.mean, level.variance, level.origin, Double(lastHeard),
            interval ?? -1, intervals, count,
            jump, irregular, returning, Double(claim), claimChanged, Double(newClaim), percent,
            level.dips.deepest.first, level.dips.deepest.second, level.dips.deepest.third,
            level.falls.deepest.first, level.falls.deepest.second, level.falls.deepest.third,
        ]
    }

    /// Nil for numbers that `numbers` cannot have returned.
    package init?(numbers: [Double]) {
        guard numbers.count == 27, numbers.allSatisfy(\.isFinite),
            let lastHeard = Int64(exactly: numbers[10].rounded()),
            let claim = Int8(exactly: numbers[17]), let newClaim = Int8(exactly: numbers[19]),
            let battery = Int(exactly: numbers[20])
        else { return nil }
        self.init(claim: claim)
        (presence.age, presence.share, presence.silence) = (numbers[0], numbers[1], numbers[2])
        presence.silences = Extremes(first: numbers[3], second: numbers[4], third: numbers[5])
        level.dips.deepest = Extremes(first: numbers[21], second: numbers[22], third: numbers[23])
        level.falls.deepest = Extremes(first: numbers[24], second: numbers[25], third: numbers[26])
        (level.count, level.mean, level.variance, level.origin) = (numbers[6], numbers[7], numbers[8], numbers[9])
        self.lastHeard = lastHeard
        lastLevel = level.mean
        interval = numbers[11] > 0 ? numbers[11] : nil
        (intervals, count, jump, irregular, returning) = (
            numbers[12], numbers[13], numbers[14], numbers[15], numbers[16])
        (claimChanged, self.newClaim) = (numbers[18], newClaim)
        self.battery = battery >= 0 ? UInt8(clamping: battery) : nil
        hasBattery = battery >= 0
        guard isSound else { return nil }
    }

    /// Whether the values are possible.
    private var isSound: Bool {
        presence.isSound && level.isSound && (0..<100_000_000_000).contains(lastHeard)
            && [intervals, count, jump, claimChanged].allSatisfy { (0...1e9).contains($0) }
            && [irregular, returning].allSatisfy { (0...1).contains($0) }
            && (interval.map { (0.001...100_000).contains($0) } ?? true)
            && (battery.map { (0...100).contains($0) } ?? true)
    }
}
