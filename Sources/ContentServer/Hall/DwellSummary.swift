import Beacon
import CurationStore

/// Dwell times of many days and devices, added up.
struct DwellSummary {
    struct Revision: Equatable {
        var revision: Int64
        var seconds: Double
        var visits: Int

        /// Seconds of one visit.
        var mean: Double { visits > 0 ? seconds / Double(visits) : 0 }
    }

    struct Beacon: Equatable {
        var beacon: BeaconID
        /// The newest first.
        var revisions: [Revision]

        var visits: Int { revisions.reduce(0) { $0 + $1.visits } }
    }

    /// The most visited first.
    var beacons: [Beacon] = []
    /// By day since 1970.
    var visits: [Int64: Int] = [:]
    /// The longest mean of all, in seconds.
    var longest: Double { beacons.flatMap(\.revisions).map(\.mean).max() ?? 0 }

    /// What one page shows.
    static let mostBeacons = 100
    static let mostRevisions = 8

    init(_ rows: [Dwell]) {
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
    }
}

extension DwellSummary.Revision {
    fileprivate mutating func add(_ row: Dwell) {
        seconds += row.seconds
        visits += row.visits
    }
}
