package import Beacon

/// Decides which records are too old. A clock that has jumped far ahead is trusted only after some time, so that it
/// does not delete the history.
package struct RetentionClock {
    /// In seconds.
    private let retention: Double
    private var last: Timestamp?
    private var doubtedUntil: Timestamp?

    /// The largest step ahead that is trusted at once, and how long a clock is doubted after a larger one, in seconds.
    private static let largestStep = 86_400.0
    private static let doubt = 3600.0

    /// - Parameter newest: the time of the newest record.
    package init(days: Int, newest: Timestamp?) {
        retention = Double(days) * 86_400
        last = newest
    }

    /// Records older than this are to be removed; nil if none is.
    package mutating func cutoff(at now: Timestamp) -> Timestamp? {
        if let last {
            let step = now.seconds(since: last)
            if step > Self.largestStep {
                doubtedUntil = now.advanced(bySeconds: Self.doubt)
            } else if step < 0 {
                // The clock was wrong and has been corrected, or it is wrong now. In both cases no more records than
                // before are too old.
                doubtedUntil = nil
            }
        }
        last = now
        if let doubtedUntil, now < doubtedUntil { return nil }
        doubtedUntil = nil
        return now.advanced(bySeconds: -retention)
    }
}
