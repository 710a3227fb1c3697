/// The levels of a beacon at a scanner in the last minutes, and in the half hour before them.
struct RecentLevels: Hashable, Sendable {
    // Vectors first, the longest of all: so there is no padding between them.

    /// dBm: the strongest level of every four minutes. The newest four values wait for a quarter of an hour, so that a
    /// change does not become part of what it is compared with.
    private var earlier = SIMD8<Float>(repeating: Self.silent)
    private var waiting = SIMD4<Float>(repeating: Self.silent)
    /// dBm, of the last four minutes, the newest at the end.
    private var minutes = SIMD4<Float>(repeating: Self.silent)
    private var median = Self.silent
    private var count: UInt8 = 0

    /// The value for a minute in which nothing was received.
    private static let silent: Float = -1000

    /// dBm: the strongest level of the last four minutes; nil if nothing was received.
    var level: Double? { Self.known(minutes.max()) }

    /// dBm: the level of the last minute; nil if nothing was received.
    var newest: Double? { Self.known(minutes.w) }

    /// dBm: the median from 48 to 16 minutes ago; nil if the beacon was silent for half of that time.
    var before: Double? { Self.known(median) }

    /// - Parameter level: dBm, of the next minute.
    mutating func push(_ level: Double?) {
        minutes = SIMD4(minutes.y, minutes.z, minutes.w, level.map(Float.init) ?? Self.silent)
        count += 1
        guard count == 4 else { return }
        count = 0
        let next = waiting.x
        waiting = SIMD4(waiting.y, waiting.z, waiting.w, minutes.max())
        for lane in 0..<7 { earlier[lane] = earlier[lane + 1] }
        earlier[7] = next
        median = earlier.indices.map { earlier[$0] }.sorted()[3]
    }

    private static func known(_ level: Float) -> Double? { level > silent ? Double(level) : nil }
}
