import Beacon
import Text

/// A report as CSV: a header and one line per beacon. It leaves out series; the other formats have them.
enum ReportCSV {
    static func text(_ report: HistoryReport) -> String {
        var columns = [
            "uuid", "major", "minor", "name", "measured_power", "first_seen", "last_seen", "dwell_s", "visits", "count",
        ]
        let none = BeaconHistory(id: .init(uuid: .init(0), major: 0, minor: 0), at: .init(microseconds: 0))
        columns += ReportColumns.rssi(none).map(\.key) + ReportColumns.distance(none).map(\.key)
        columns += ["dwell_median_s", "dwell_longest_s", "nearest_s", "nearest_share"]
        var text = columns.joined(separator: ",") + "\n"
        for beacon in report.beacons {
            text += fields(beacon).joined(separator: ",") + "\n"
        }
        return text
    }

    private static func fields(_ beacon: BeaconHistory) -> [String] {
        func number(_ value: Double?, _ digits: Int) -> String { value.map { fixed($0, digits: digits) } ?? "" }
        var fields: [String] = [
            "\(beacon.id.uuid)", "\(beacon.id.major)", "\(beacon.id.minor)", csvField(beacon.name ?? ""),
            "\(beacon.measuredPower)", beacon.firstSeen.rfc3339, beacon.lastSeen.rfc3339,
            number(beacon.visits.seconds, 3), "\(beacon.visits.visits.count)", "\(beacon.count)",
        ]
        fields += ReportColumns.rssi(beacon).map { $0.value.map(String.init) ?? "" }
        fields += ReportColumns.distance(beacon).map { number($0.value, 2) }
        fields += [
            number(beacon.visits.medianSeconds, 3), number(beacon.visits.longestSeconds, 3),
            number(beacon.nearest.seconds, 1), number(beacon.nearestShare, 4),
        ]
        return fields
    }
}
