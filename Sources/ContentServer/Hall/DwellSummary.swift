package import Beacon
package import CurationStore

/// Dwell times of many days and devices, added up.
package struct DwellSummary {
    package struct Revision: Equatable {
        package var revision: Int64
        package var seconds: Double
        package var visits: Int

        /// Seconds of one visit. One that began before this revision was there counts there, and has its time here.
        package var mean: Double { seconds / Double(max(visits, 1)) }
    }

    package struct Beacon: Equatable {
        package var beacon: BeaconID
        /// The newest first.
        package var revisions: [Revision]

        package var visits: Int { revisions.reduce(0) { $0 + $1.visits } }
    }

    /// The most visited first.
    package var beacons: [Beacon] = []
    /// By day since 1970.
    package var visits: [Int64: Int] = [:]
    /// The first day that is added up; nil if all rows are.
    package private(set) var since: Int64?
    /// Beacons that are left out, because they were visited less.
    package private(set) var rest = 0
    /// The longest mean of all, in seconds.
    package var longest: Double { beacons.flatMap(\.revisions).map(\.mean).max() ?? 0 }

    /// What one page shows.
    package static let mostBeacons = 100
    package static let mostRevisions = 8

    /// - Parameters:
    ///   - rows: the newest day first.
    ///   - limit: of more rows, only the days are added up that are whole within so many.
    package init(_ rows: [Dwell], atMost limit: Int = .max) {
        var rows = rows
        if rows.count > limit {
            let day = rows[limit].day
            rows.removeAll { $0.day <= day }
            since = day + 1
        }
        var sums: [BeaconID: [Int64: Revision]] = [:]
        for row in rows {
            sums[row.beacon, default: [:]][
                row.revision, default: Revision(revision: row.revision, seconds: 0, visits: 0)
            ]
            .add(row)
            visits[row.day, default: 0] += row.visits
        }
        let all = sums.map { beacon, revisions in
            Beacon(
                beacon: beacon,
                revisions: Array(
                    revisions.values.sorted { $0.revision > $1.revision }.prefix(Self.mostRevisions)))
        }
        beacons = Array(
            all.sorted { ($1.visits, "\($0.beacon)") < ($0.visits, "\($1.beacon)") }.prefix(Self.mostBeacons))
        rest = all.count - beacons.count
    }
}

extension DwellSummary.Revision {
    fileprivate mutating func add(_ row: Dwell) {
        seconds += row.seconds
        visits += row.visits
    }
}
