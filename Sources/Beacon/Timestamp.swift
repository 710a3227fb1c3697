/// A point in time: microseconds since 1970-01-01 00:00:00 UTC. A plain value; nothing here reads a clock.
public struct Timestamp: Hashable, Sendable, Comparable {
    public var microseconds: Int64

    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// From seconds since 1970, rounded to the microsecond; out-of-range values are clamped.
    @inlinable
    public init(seconds: Double) {
        let scaled = (seconds * 1_000_000).rounded()
        microseconds = scaled.isNaN ? 0 : Int64(exactly: max(-9e18, min(9e18, scaled))) ?? 0
    }

    /// Seconds since 1970.
    @inlinable
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Seconds from `earlier` to this; negative if `earlier` is later.
    @inlinable
    public func seconds(since earlier: Timestamp) -> Double {
        Double(microseconds &- earlier.microseconds) / 1_000_000
    }

    @inlinable
    public func advanced(bySeconds seconds: Double) -> Timestamp {
        Timestamp(seconds: self.seconds + seconds)
    }
}
