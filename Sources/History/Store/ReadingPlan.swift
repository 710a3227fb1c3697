/// From which tables a time is read: hours and days where they will do, intervals for the rest. Nothing is read twice,
/// and what is of one beacon comes in its order.
package struct ReadingPlan: Hashable {
    /// Rows that begin from one time to before another, in seconds since 1970.
    package enum Piece: Hashable {
        case intervals(Int64, Int64)
        case hours(Int64, Int64)
        case days(Int64, Int64)
        /// Intervals of beacons that are in no hour.
        case passing(Int64, Int64)
    }

    /// How far the upkeep has come; nil for nowhere.
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
    ///   - lower: the first second. Intervals that have begun before, and reach in, count.
    ///   - upper: the last second.
    ///   - interval: how long intervals are, in seconds.
    ///   - coarsest: what may stand for its intervals; nil for intervals wherever they are.
    package init(from lower: Int64, through upper: Int64, interval: Int64, coarsest: Rollup?, _ state: State) {
        let (begin, end) = (lower - interval + 1, upper + 1)
        let hoursEnd = state.hours ?? .min
        // Before this there is nothing finer than hours, so that those at the edges count as a whole.
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
