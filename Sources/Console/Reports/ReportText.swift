public import Beacon
public import Ranging

/// A ranging report in its documented forms.
public struct ReportText: Sendable {
    private let report: Report
    private let names: [BeaconID: String]
    private let sources: [String]

    public init(_ report: Report, names: [BeaconID: String], sources: [String]) {
        self.report = report
        self.names = names
        self.sources = sources
    }

    // MARK: - Text

    /// For people: a line a beacon, then how the presence went over time.
    public func text(_ terminal: Terminal) -> String {
        guard let first = report.firstTime, let last = report.lastTime, !report.beacons.isEmpty else {
            return "No iBeacon was heard in \(sources.joined(separator: ", ")).\n" + warnings
        }
        var text = terminal.styled("Ranging report", .bold) + " of \(sources.joined(separator: ", "))\n"
        text += "\(first.rfc3339) to \(last.rfc3339), \(Self.span(last.seconds(since: first)))\n"
        text += "\(report.count) sightings of \(Self.count(report.beacons.count, "beacon"))\n\n"
        let labels = report.beacons.map { label($0.id) }
        let width = max(6, labels.map(\.count).max() ?? 0)
        text += terminal.styled(
            pad("BEACON", -width) + "  SIGHTINGS     DWELL  VISITS  RSSI dBm (10 50 90 %)  DISTANCE m (10 50 90 %)\n",
            .dim)
        for (beacon, label) in zip(report.beacons, labels) {
            let rssi = beacon.rssi.map { pad("\($0.p10)", 7) + pad("\($0.median)", 7) + pad("\($0.p90)", 7) } ?? "-"
            let distance = beacon.distance.map { distance in
                [distance.p10, distance.median, distance.p90].map { pad(fixed($0, digits: 1), 8) }.joined()
            }
            text += "\(pad(label, -width))  \(pad("\(beacon.count)", 9))  \(pad(Self.span(beacon.dwell), 8))  "
                + "\(pad("\(beacon.visits)", 6))  \(pad(rssi, 21))  \(distance ?? "-")\n"
        }
        text += "\nPresence, a column for every \(Self.span(bucketSeconds))\n"
        for (beacon, label) in zip(report.beacons, labels) {
            text += "\(pad(label, -width))  \(chart(beacon.presence, terminal))\n"
        }
        return text + warnings
    }

    private var warnings: String {
        var text = ""
        if report.withoutTime > 0 { text += "\(report.withoutTime) sightings had no time and are not in the report.\n" }
        if report.dropped > 0 { text += "\(report.dropped) sightings of too many beacons are not in the report.\n" }
        return text
    }

    private var bucketSeconds: Double { report.beacons.first?.presence.bucketSeconds ?? 0 }

    private func chart(_ presence: Presence, _ terminal: Terminal) -> String {
        let steps = Array(terminal.hasBlocks ? " ▁▂▃▄▅▆▇█" : " .:-=+*#@")
        let most = report.beacons.flatMap(\.presence.counts).max() ?? 0
        return String(
            presence.counts.map { count in
                guard count > 0, most > 0 else { return steps[0] }
                return steps[1 + count * (steps.count - 2) / most]
            })
    }

    private func label(_ id: BeaconID) -> String {
        names[id] ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: fixed(seconds, digits: seconds < 10 ? 1 : 0) + " s"
        case ..<7200: fixed(seconds / 60, digits: 1) + " min"
        default: fixed(seconds / 3600, digits: 1) + " h"
        }
    }

    // MARK: - Machine forms

    /// One JSON object.
    public var json: String {
        var json = JSONText()
        json.object { json in
            json.array("sources") { json in
                for source in sources { json.value(nil, source) }
            }
            json.value("from", report.firstTime?.rfc3339)
            json.value("to", report.lastTime?.rfc3339)
            json.value("count", report.count)
            json.value("without_time", report.withoutTime)
            json.value("dropped", report.dropped)
            json.array("beacons") { json in
                for beacon in report.beacons { json.object { write(beacon, to: &$0) } }
            }
        }
        return json.text + "\n"
    }

    private func write(_ beacon: BeaconReport, to json: inout JSONText) {
        json.identity(beacon.id, name: names[beacon.id])
        json.value("measured_power", Int(beacon.measuredPower))
        json.value("first_seen", beacon.firstSeen.rfc3339)
        json.value("last_seen", beacon.lastSeen.rfc3339)
        json.value("dwell_s", beacon.dwell, digits: 3)
        json.value("visits", beacon.visits)
        json.value("count", beacon.count)
        for (key, value) in zip(Self.rssiKeys, Self.values(beacon.rssi)) { json.value(key, value.map(Int.init)) }
        for (key, value) in zip(Self.distanceKeys, Self.values(beacon.distance)) {
            json.value(key, value, digits: 2)
        }
        json.object("presence") { json in
            json.value("from", beacon.presence.start.rfc3339)
            json.value("bucket_s", beacon.presence.bucketSeconds, digits: 3)
            json.array("counts") { json in
                for count in beacon.presence.counts { json.value(nil, count) }
            }
        }
    }

    /// A header and a line a beacon; presence over time is in the other forms.
    public var csv: String {
        let columns =
            ["uuid", "major", "minor", "name", "measured_power", "first_seen", "last_seen", "dwell_s", "visits", "count"]
            + Self.rssiKeys + Self.distanceKeys
        var text = columns.joined(separator: ",") + "\n"
        for beacon in report.beacons {
            let fields: [String] =
                [
                    "\(beacon.id.uuid)", "\(beacon.id.major)", "\(beacon.id.minor)", csvField(names[beacon.id] ?? ""),
                    "\(beacon.measuredPower)", beacon.firstSeen.rfc3339, beacon.lastSeen.rfc3339,
                    fixed(beacon.dwell, digits: 3), "\(beacon.visits)", "\(beacon.count)",
                ]
                + Self.values(beacon.rssi).map { $0.map { "\($0)" } ?? "" }
                + Self.values(beacon.distance).map { $0.map { fixed($0, digits: 2) } ?? "" }
            text += fields.joined(separator: ",") + "\n"
        }
        return text
    }

    private static let rssiKeys = ["rssi_min", "rssi_p10", "rssi_median", "rssi_p90", "rssi_max"]
    private static let distanceKeys = ["distance_p10_m", "distance_median_m", "distance_p90_m"]

    private static func values(_ rssi: RSSIQuantiles?) -> [Int8?] {
        [rssi?.min, rssi?.p10, rssi?.median, rssi?.p90, rssi?.max]
    }

    private static func values(_ distance: DistanceQuantiles?) -> [Double?] {
        [distance?.p10, distance?.median, distance?.p90]
    }
}
