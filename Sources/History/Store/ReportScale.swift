package import Beacon

/// The resolution of a report: intervals or, for a long time, whole hours or days.
package struct ReportScale: Sendable, Hashable {
    /// The reported time. It begins with a whole hour or day if these are read.
    package let span: ClosedRange<Timestamp>
    /// The roll-up that is read; nil for intervals.
    package let coarsest: Rollup?

    /// Longer reports use hours. In seconds; no piece of such a report is shorter than an hour.
    static let hours = 2 * 86_400.0
    /// Longer reports use days.
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

    /// The shortest length of a piece of the report, in seconds.
    package func resolution(interval: Int) -> Int {
        coarsest.map { Int($0.seconds) } ?? interval
    }
}
