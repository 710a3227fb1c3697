package import Curation

/// Decides when the next revision is due because content becomes valid or ceases to be valid.
package struct ScheduledRevisions: Hashable, Sendable {
    package let schedule: SiteSchedule
    /// The instant for which the published files are right.
    package private(set) var settledAt: Moment

    package init(schedule: SiteSchedule, settledAt: Moment) {
        self.schedule = schedule
        self.settledAt = settledAt
    }

    /// Whether a boundary has passed since the files were made.
    package func isDue(at now: Moment) -> Bool {
        schedule.next(after: settledAt).map { $0 <= now } ?? false
    }

    /// Records that the files are right for this instant: they were made again, or are the same.
    package mutating func settle(at now: Moment) {
        settledAt = max(settledAt, now)
    }
}
