/// How deep a level falls for minutes at a place, usually: people and doors are in between.
struct UsualDips: Hashable, Sendable {
    /// dB.
    var deepest = Extremes(first: Self.first, second: Self.first, third: Self.first)

    /// dB below, of the last four minutes.
    private var last = SIMD4<Float>(repeating: 0)
    /// dB: how deep it has been for four minutes, in the dip that goes on.
    private var depth = 0.0

    /// dB, before anything is known: about what a body takes away that stands close to a beacon.
    static let first = 8.0
    /// dB: less is no dip.
    private static let least = 2.0

    /// dB: once may have been a fault.
    var usual: Double { deepest.third }

    /// - Parameter depth: dB, of one more minute; nil where it is not known.
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
