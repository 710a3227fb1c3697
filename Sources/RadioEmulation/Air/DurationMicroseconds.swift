extension Duration {
    /// Whole microseconds, the resolution of everything here.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }

    /// Seconds, as far as a number with a fraction can tell them.
    var seconds: Double { self / .seconds(1) }
}
