import Beacon

/// The units to which intervals are rolled up, so that a report over weeks need not read every minute.
package enum Rollup: CaseIterable, Sendable {
    case hour
    case day

    /// Hours and days of UTC.
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

    /// The entry of the table `progress` that says up to when the roll-up is complete.
    var progress: HistoryProgress {
        switch self {
        case .hour: .hours
        case .day: .days
        }
    }

    /// The start of the hour or day that contains this time, in seconds since 1970.
    package func floor(_ time: Int64) -> Int64 {
        let rest = time % seconds
        return time.subtractingClamped(rest < 0 ? rest + seconds : rest)
    }

    /// The end of the hour or day that begins then. A damaged file may have any time: it stays a number.
    package func end(of begin: Int64) -> Int64 { begin.addingClamped(seconds) }

    /// This time if an hour or day starts at it, otherwise the next start.
    package func ceiling(_ time: Int64) -> Int64 {
        let begin = floor(time)
        return begin == time ? time : end(of: begin)
    }
}

/// How far upkeep has come, in seconds since 1970.
enum HistoryProgress: String {
    /// All earlier intervals of kept beacons are in `hour`.
    case hours
    /// All earlier hours are in `day`.
    case days
    /// Earlier intervals were removed; only their hours are left.
    case minutes
    /// An older version has written intervals up to here, which are not yet marked as passing.
    case unmarkedUntil = "unmarked_until"
    /// The last interval that was checked for this.
    case markedStart = "marked_start"
    case markedBeacon = "marked_beacon"
}
