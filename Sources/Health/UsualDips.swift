/// How deep a level usually falls for some minutes at a place, because of people and doors in between.
struct UsualDips: Hashable, Sendable {
    /// dB below the reference, in each of the last four minutes. A vector comes first, so that there is no padding.
    private var last = SIMD4<Float>(repeating: 0)
    /// dB.
    var deepest = Extremes(first: Self.first, second: Self.first, third: Self.first)
    /// dB: the depth that the current dip has had for four minutes.
    private var depth = 0.0

    /// dB, before anything is known: about the loss through a person who stands close to a beacon.
    static let first = 8.0
    /// dB: a smaller fall is not a dip.
    private static let least = 2.0

    /// dB. The third deepest, because a single deep dip may have been a fault.
    var usual: Double { deepest.third }

    /// - Parameter new: dB, of the next minute; nil if unknown.
    mutating func note(_ new: Double?) {
        deepest.fade()
        guard let new else { return }
        last = SIMD4(last.y, last.z, last.w, Float(new))
        depth = max(depth, Double(last.min()))
        guard new < Self.least else { return }
        if depth > Self.least { deepest.add(depth) }
        depth = 0
    }
}
