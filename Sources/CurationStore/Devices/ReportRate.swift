import Beacon
import Curation

/// Counts the reports in the current minute.
struct ReportRate {
    private var minute: Int64 = 0
    private var count = 0

    /// Counts a report. Returns false if there were too many.
    mutating func take(most: Int, at now: Moment) -> Bool {
        let current = now.microseconds.floorDivided(by: 60_000_000)
        if current != minute { (minute, count) = (current, 0) }
        count += 1
        return count <= most
    }
}
