package import Beacon

/// How finely a time is reported: by intervals, or where it is long by whole hours or days.
package struct ReportScale: Sendable, Hashable {
    /// What is reported. It begins with an hour or a day where these are what is read.
    package let span: ClosedRange<Timestamp>
    /// What stands for intervals; nil for nothing.
    package let coarsest: Rollup?

    /// Longer reports are of hours, in seconds: no piece of theirs is shorter than one.
    static let hours = 2 * 86_400.0
    /// Longer reports are of days.
    static let days = 100 * 86_400.0

    package init(_ span: ClosedRange<Timestamp>) {
        let seconds = span.upperBound.seconds(since: span.lowerBound)
        coarsest = seconds > Self.days ? .day : seconds > Self.hours ? .hour : nil
        guard let coarsest else {
            self.span = span
            return
        }
        let begin = Timestamp(wholeSeconds: coarsest.floor(span.lowerBound.wholeSeconds))
        self.span = min(begin, span.lowerBound)...span.upperBound
    }

    /// Seconds that no piece of the report is shorter than.
    package func resolution(interval: Int) -> Int {
        coarsest.map { Int($0.seconds) } ?? interval
    }
}
