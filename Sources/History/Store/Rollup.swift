/// What intervals are put together to, so that a report over weeks need not read each minute.
package enum Rollup: CaseIterable, Sendable {
    case hour
    case day

    /// Of UTC.
    package var seconds: Int64 {
        switch self {
        case .hour: 3600
        case .day: 86_400
        }
    }

    var table: String {
        switch self {
        case .hour: "hour"
        case .day: "day"
        }
    }

    /// Up to when it is complete, in the table `progress`.
    var progress: HistoryProgress {
        switch self {
        case .hour: .hours
        case .day: .days
        }
    }

    /// The last whole hour or day that does not begin later, in seconds since 1970.
    package func floor(_ time: Int64) -> Int64 {
        let rest = time % seconds
        return time.subtractingReportingOverflow(rest < 0 ? rest + seconds : rest).partialValue
    }

    /// The first whole hour or day that does not begin earlier.
    package func ceiling(_ time: Int64) -> Int64 {
        let begin = floor(time)
        return begin == time ? time : begin.addingReportingOverflow(seconds).partialValue
    }
}

/// How far the upkeep has come, in seconds since 1970.
enum HistoryProgress: String {
    /// All earlier intervals of kept beacons are in `hour`.
    case hours
    /// All earlier hours are in `day`.
    case days
    /// Earlier intervals are gone, and only their hours are left.
    case minutes
    /// Up to here an older version has written intervals, which are not marked as passing yet.
    case unmarkedUntil = "unmarked_until"
    /// The last interval that was looked at for that.
    case markedStart = "marked_start"
    case markedBeacon = "marked_beacon"
}
