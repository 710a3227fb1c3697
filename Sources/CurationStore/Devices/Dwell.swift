package import Beacon

/// How long visitors were nearest to a beacon on a day while a revision was shown. Kept when the content is gone.
package struct Dwell: Hashable, Sendable {
    package var beacon: BeaconID
    /// 0: none.
    package var revision: Int64
    /// Days since 1970, UTC.
    package var day: Int64
    package var seconds: Double
    package var visits: Int

    package init(beacon: BeaconID, revision: Int64, day: Int64, seconds: Double, visits: Int) {
        self.beacon = beacon
        self.revision = revision
        self.day = day
        self.seconds = seconds
        self.visits = visits
    }
}

/// Which dwell times are wanted.
package struct DwellQuery: Hashable, Sendable {
    /// Nil: of all beacons.
    package var beacon: BeaconID?
    package var revision: Int64?
    /// Days since 1970, UTC.
    package var days: ClosedRange<Int64>
    /// The most rows; the newest days are given first.
    package var limit: Int

    package init(beacon: BeaconID? = nil, revision: Int64? = nil, days: ClosedRange<Int64>, limit: Int = 10_000) {
        self.beacon = beacon
        self.revision = revision
        self.days = days
        self.limit = limit
    }
}
