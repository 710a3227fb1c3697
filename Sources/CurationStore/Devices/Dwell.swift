package import Beacon

/// How long a beacon was the nearest on a day, with one revision. It is kept even if the content is deleted.
package struct Dwell: Hashable, Sendable {
    package var beacon: BeaconID
    /// 0 means none.
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

/// A query for dwell times.
package struct DwellQuery: Hashable, Sendable {
    /// Nil for all beacons.
    package var beacon: BeaconID?
    package var revision: Int64?
    /// Days since 1970, UTC.
    package var days: ClosedRange<Int64>
    /// The most rows. The newest days come first.
    package var limit: Int

    package init(beacon: BeaconID? = nil, revision: Int64? = nil, days: ClosedRange<Int64>, limit: Int = 10_000) {
        self.beacon = beacon
        self.revision = revision
        self.days = days
        self.limit = limit
    }
}
