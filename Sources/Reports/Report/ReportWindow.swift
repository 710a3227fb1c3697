package import Beacon
import Text

/// The time that a report covers.
package struct ReportWindow: Sendable, Hashable {
    /// Nil for everything since the first record.
    package var since: Timestamp?
    /// Not in the future.
    package var until: Timestamp

    /// Why a report for this time is impossible.
    package struct Problem: ExplainedError, Hashable {
        package var problem: String
        package var remedy: String
    }

    /// The length in seconds of a report if no start is given.
    package static let usualLength = 86_400.0

    /// - Parameters:
    ///   - since: nil for a day before the end.
    ///   - until: nil for now.
    package init(since: ReportMoment?, until: ReportMoment?, now: Timestamp) throws(Problem) {
        self.until = min(until?.time(before: now) ?? now, now)
        self.since = switch since {
        case nil: self.until.advanced(bySeconds: -Self.usualLength)
        case .some(let moment): moment.time(before: now)
        }
        guard let begin = self.since else { return }
        let text = String(begin.rfc3339.prefix(19)) + "Z"
        guard begin < now else {
            throw Problem(
                problem: "since \(text) is in the future: now it is \(now.rfc3339.prefix(19))Z",
                remedy: "write a time before now")
        }
        guard begin < self.until else {
            throw Problem(
                problem: "since \(text) is not before until \(self.until.rfc3339.prefix(19))Z",
                remedy: "write the earlier time as since")
        }
    }
}
