extension Duration {
    /// Whole microseconds, the resolution of all times here.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }

    /// Seconds, rounded to the nearest Double.
    var seconds: Double { self / .seconds(1) }
}
