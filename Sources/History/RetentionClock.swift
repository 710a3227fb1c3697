package import Beacon

/// Says what is too old. A clock that has jumped far ahead is believed only after a while: it must not cost the past.
package struct RetentionClock {
    /// Seconds.
    private let retention: Double
    private var last: Timestamp?
    private var doubtedUntil: Timestamp?

    /// Seconds by which a clock may go ahead at once, and for which it is doubted after more.
    private static let largestStep = 86_400.0
    private static let doubt = 3600.0

    /// - Parameter newest: the last time that was recorded.
    package init(days: Int, newest: Timestamp?) {
        retention = Double(days) * 86_400
        last = newest
    }

    /// What is older than this is to be removed; nil where nothing is.
    package mutating func cutoff(at now: Timestamp) -> Timestamp? {
        if let last {
            let step = now.seconds(since: last)
            if step > Self.largestStep {
                doubtedUntil = now.advanced(bySeconds: Self.doubt)
            } else if step < 0 {
                // It was wrong, and is right again, or it is wrong now: nothing is too old that was not before.
                doubtedUntil = nil
            }
        }
        last = now
        if let doubtedUntil, now < doubtedUntil { return nil }
        doubtedUntil = nil
        return now.advanced(bySeconds: -retention)
    }
}
