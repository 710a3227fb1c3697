package import Beacon
import Platform

/// Decides which records are too old, and which a wrong clock has written in the future. A clock that is suddenly far
/// from the records that are there is trusted only after some time, so that it does not delete the history.
package struct RetentionClock {
    /// In seconds.
    private let retention: Double
    private var trust: ClockTrust

    /// How far in the future a record of a correct clock can be, in seconds.
    private static let ahead = 86_400.0
    /// Seconds for which a clock is doubted.
    private static let patience = 3600.0

    /// - Parameters:
    ///   - newest: the time of the newest record.
    ///   - settled: the time of the newest record up to `settledEnd`.
    package init(days: Int, newest: Timestamp?, settled: Timestamp?) {
        retention = Double(days) * 86_400
        trust = ClockTrust(newest: newest, settled: settled, patience: Self.patience)
    }

    /// Later records may be of a clock that was wrong already before a restart.
    package static func settledEnd(at now: Timestamp) -> Timestamp { now.advanced(bySeconds: -patience) }

    /// Records older than this are to be removed; nil if none is.
    package mutating func cutoff(at now: Timestamp) -> Timestamp? {
        trust.allowsDeletingOld(at: now) ? now.advanced(bySeconds: -retention) : nil
    }

    /// Records later than this are to be removed: the clock was wrong when they were written. Nil if none is.
    ///
    /// - Parameter isSynchronised: called for a clock that is far behind the records; nil if this is unknown.
    package mutating func horizon(at now: Timestamp, isSynchronised: () -> Bool?) -> Timestamp? {
        trust.allowsDeletingLate(at: now, isSynchronised: isSynchronised) ? now.advanced(bySeconds: Self.ahead) : nil
    }
}
