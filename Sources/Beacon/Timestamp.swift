/// A point in time: microseconds since 1970-01-01 00:00:00 UTC. A plain value; nothing here reads a clock.
package struct Timestamp: Hashable, Sendable, Comparable {
    package var microseconds: Int64

    @inlinable
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// From seconds since 1970, rounded to the microsecond; out-of-range values are clamped.
    package init(seconds: Double) {
        let scaled = (seconds * 1_000_000).rounded()
        microseconds = scaled.isNaN ? 0 : Int64(exactly: max(-9e18, min(9e18, scaled))) ?? 0
    }

    /// Seconds since 1970.
    @inlinable
    package var seconds: Double { Double(microseconds) / 1_000_000 }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Seconds from `earlier` to here; negative where `earlier` is later.
    @inlinable
    package func seconds(since earlier: Timestamp) -> Double {
        Double(microseconds &- earlier.microseconds) / 1_000_000
    }

    @inlinable
    package func advanced(bySeconds seconds: Double) -> Timestamp {
        Timestamp(seconds: self.seconds + seconds)
    }
}
