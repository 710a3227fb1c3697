import Beacon
import DeviceReports
import Ranging

/// For tests in which nobody sets the wall clock: it is the steady clock too.
extension ReportAccumulator {
    init(start: Timestamp) {
        self.init(start: start, elapsed: Self.elapsed(start))
    }

    mutating func note(_ sightings: [Sighting], _ ranking: Ranking, isBlind: Bool, revision: Int64?) {
        note(sightings, ranking, elapsed: Self.elapsed(ranking.time), isBlind: isBlind, revision: revision)
    }

    mutating func finish(at end: Timestamp, version: String, state: DeviceState) -> DeviceReport {
        finish(at: end, elapsed: Self.elapsed(end), version: version, state: state)
    }

    private static func elapsed(_ time: Timestamp) -> Duration { .microseconds(time.microseconds) }
}

extension ReportQueue {
    mutating func append(_ report: DeviceReport) { append(report, at: report.end.seconds) }
}
