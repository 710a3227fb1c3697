package import Beacon

/// Of what time a report is.
package struct ReportWindow: Sendable, Hashable {
    /// Nil for as long ago as there is anything.
    package var since: Timestamp?
    /// At most the present.
    package var until: Timestamp

    /// Why there can be no such report.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
        /// What to do about it.
        package var whatToDo: String
    }

    /// Seconds before its end at which a report begins that nobody has given a beginning.
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
                description: "since \(text) is in the future: now it is \(now.rfc3339.prefix(19))Z",
                whatToDo: "write a time before now")
        }
        guard begin < self.until else {
            throw Problem(
                description: "since \(text) is not before until \(self.until.rfc3339.prefix(19))Z",
                whatToDo: "write the earlier time as since")
        }
    }
}
