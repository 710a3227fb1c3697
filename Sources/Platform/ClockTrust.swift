package import Beacon

/// Decides whether a wall clock is to be trusted so far that records may be deleted by it. A clock that is suddenly far
/// from the records that are there is trusted only after some time. A pure value: it reads no clock.
package struct ClockTrust: Sendable {
    /// The largest step that is trusted at once, in seconds.
    private let largestStep: Double
    /// For how long a clock is doubted after a larger step, in seconds.
    private let patience: Double
    /// The instant that was trusted last. A clock far ahead of it is doubted.
    private var trusted: Timestamp?
    /// The newest instant of which there may be records. A clock far behind it is doubted.
    private var newest: Timestamp?
    private var ahead: Trial?
    private var behind: Trial?

    /// For how long a doubted clock has gone on.
    private struct Trial {
        private var last: Timestamp
        private var seconds = 0.0

        init(at now: Timestamp) { last = now }

        /// - Returns: the seconds up to now. They begin again with another large step. No single step is enough.
        mutating func goOn(to now: Timestamp, largestStep: Double, most: Double) -> Double {
            let step = now.seconds(since: last)
            last = now
            seconds = abs(step) > largestStep ? 0 : seconds + min(max(step, 0), most)
            return seconds
        }
    }

    /// - Parameters:
    ///   - newest: the time of the newest record; nil if there is none.
    ///   - settled: the time of the newest record that is older than `patience`. Younger ones may be of a clock that
    ///     was wrong already, before a restart.
    package init(newest: Timestamp?, settled: Timestamp?, largestStep: Double = 86_400, patience: Double = 3600) {
        self.newest = newest
        trusted = settled
        self.largestStep = largestStep
        self.patience = patience
    }

    /// Whether old records may be deleted: not while the clock may be wrong and ahead. One that was set back makes
    /// nothing older.
    package mutating func allowsDeletingOld(at now: Timestamp) -> Bool {
        if let trusted, now.seconds(since: trusted) > largestStep, !proves(\.ahead, now) { return false }
        ahead = nil
        trusted = now
        return true
    }

    /// Whether records of the future may be deleted: not while the clock may be wrong and behind. That is common: a
    /// board without a battery starts in the past. So time alone does not prove such a clock.
    ///
    /// - Parameter isSynchronised: called for a clock that is doubted; nil if this is unknown.
    package mutating func allowsDeletingLate(at now: Timestamp, isSynchronised: () -> Bool?) -> Bool {
        if let newest, newest.seconds(since: now) > largestStep {
            guard proves(\.behind, now), isSynchronised() == true else { return false }
            self.newest = now
        } else {
            // Several small steps back are a large one.
            newest = max(newest ?? now, now)
        }
        behind = nil
        return true
    }

    /// - Returns: whether a doubted clock has gone on for long enough.
    private mutating func proves(_ trial: WritableKeyPath<Self, Trial?>, _ now: Timestamp) -> Bool {
        var going = self[keyPath: trial] ?? Trial(at: now)
        let seconds = going.goOn(to: now, largestStep: largestStep, most: patience / 2)
        self[keyPath: trial] = going
        return seconds >= patience
    }
}
