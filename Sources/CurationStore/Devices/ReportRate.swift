import Beacon
import Curation

/// Counts reports of the current minute: of all devices, and of each that nothing else limits.
struct ReportRate {
    private var minute: Int64 = 0
    private var count = 0
    /// At most as many as reports are taken in a minute.
    private var counts: [String: Int] = [:]

    /// Counts a report. Returns false if there were too many; those that are refused do not count, so that one device
    /// cannot use up what is taken from all.
    ///
    /// - Parameter host: nil if only the reports of all devices are limited.
    mutating func take(_ host: String?, mostOfDevice: Int, most: Int, at now: Moment) -> Bool {
        let current = now.microseconds.floorDivided(by: 60_000_000)
        if current != minute { (minute, count, counts) = (current, 0, [:]) }
        if let host, counts[host, default: 0] >= mostOfDevice { return false }
        guard count < most else { return false }
        count += 1
        if let host { counts[host, default: 0] += 1 }
        return true
    }
}
