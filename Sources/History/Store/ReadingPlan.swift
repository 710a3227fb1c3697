/// The tables to read for a time: hours and days where possible, intervals for the rest. Nothing is read twice, and
/// the rows of each beacon come in order of time.
package struct ReadingPlan: Hashable {
    /// Rows that begin in a half-open range, in seconds since 1970.
    package enum Piece: Hashable {
        case intervals(Int64, Int64)
        case hours(Int64, Int64)
        case days(Int64, Int64)
        /// Intervals of beacons that are not rolled up.
        case passing(Int64, Int64)
    }

    /// How far upkeep has come; nil if it has not started.
    package struct State: Hashable {
        package var hours: Int64?
        package var days: Int64?
        package var minutes: Int64?

        package init(hours: Int64? = nil, days: Int64? = nil, minutes: Int64? = nil) {
            self.hours = hours
            self.days = days
            self.minutes = minutes
        }
    }

    package private(set) var pieces: [Piece] = []

    /// - Parameters:
    ///   - lower: the first second. Intervals that began earlier but reach into the time count too.
    ///   - upper: the last second.
    ///   - interval: the length of intervals, in seconds.
    ///   - coarsest: the longest roll-up that may be used; nil to use intervals wherever they exist.
    package init(from lower: Int64, through upper: Int64, interval: Int64, coarsest: Rollup?, _ state: State) {
        let (begin, end) = (lower - interval + 1, upper + 1)
        let hoursEnd = state.hours ?? .min
        // Before this time only hours exist, so the hours at the edges count as a whole.
        let gone = state.minutes.map { min(Rollup.hour.ceiling($0), hoursEnd) } ?? .min
        let first = lower < gone ? Rollup.hour.floor(lower) : Rollup.hour.ceiling(lower)
        var last = min(coarsest == nil ? gone : hoursEnd, Rollup.hour.floor(end))
        last = max(last, min(gone, Rollup.hour.ceiling(end)))
        guard lower < end else { return }
        guard first < last else {
            add(.intervals(begin, end))
            return
        }
        add(.intervals(begin, first))
        var days = (first: Rollup.day.ceiling(first), last: min(state.days ?? .min, Rollup.day.floor(last)))
        if coarsest != .day || days.first >= days.last { days = (last, last) }
        add(.hours(first, days.first))
        add(.days(days.first, days.last))
        add(.hours(days.last, last))
        add(.passing(first, last))
        add(.intervals(last, end))
    }

    private mutating func add(_ piece: Piece) {
        switch piece {
        case .intervals(let from, let to), .hours(let from, let to), .days(let from, let to),
            .passing(let from, let to):
            if from < to { pieces.append(piece) }
        }
    }
}
