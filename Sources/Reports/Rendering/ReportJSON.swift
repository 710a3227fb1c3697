import Beacon
import Text

/// A report as one JSON object.
enum ReportJSON {
    static func text(_ report: HistoryReport, _ localTime: LocalTime) -> String {
        var json = JSONText()
        json.object { json in
            json.array("sources") { json in
                for source in report.sources { json.value(nil, source) }
            }
            json.value("from", report.span?.lowerBound.rfc3339)
            json.value("to", report.span?.upperBound.rfc3339)
            json.value("time_zone", report.span.map { localTime.offset(at: $0.upperBound) })
            json.value("count", report.count)
            json.value("count_is_about", report.isAbout)
            json.value("without_time", report.withoutTime)
            json.value("dropped", report.dropped)
            json.object("scanner") { json in
                json.value("recorded_s", report.scanner.recordedSeconds, digits: 1)
                json.value("blind_s", report.scanner.blindSeconds, digits: 1)
                json.spans("recorded", report.scanner.recording)
                json.spans("blind", report.scanner.blind)
            }
            json.array("beacons") { json in
                for beacon in report.beacons { json.object { write(beacon, of: report, to: &$0) } }
            }
            json.array("regions") { json in
                for region in report.regions {
                    json.object { json in
                        json.value("name", region.name)
                        write(region.visits, to: &json)
                    }
                }
            }
            json.array("transitions") { json in
                let names = Dictionary(report.beacons.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
                for transition in report.transitions {
                    json.object { json in
                        json.object("from") { $0.identity(transition.from, name: names[transition.from] ?? nil) }
                        json.object("to") { $0.identity(transition.to, name: names[transition.to] ?? nil) }
                        json.value("count", transition.count)
                    }
                }
            }
            write(report.content, to: &json)
            json.health(report.health)
        }
        return json.text + "\n"
    }

    private static func write(_ beacon: BeaconHistory, of report: HistoryReport, to json: inout JSONText) {
        json.identity(beacon.id, name: beacon.name)
        json.value("measured_power", Int(beacon.measuredPower))
        json.value("first_seen", beacon.firstSeen.rfc3339)
        json.value("last_seen", beacon.lastSeen.rfc3339)
        write(beacon.visits, to: &json)
        json.value("count", beacon.count)
        for (key, value) in ReportColumns.rssi(beacon) { json.value(key, value) }
        for (key, value) in ReportColumns.distance(beacon) { json.value(key, value, digits: 2) }
        json.value("nearest_s", beacon.nearest.seconds, digits: 1)
        json.value("nearest_share", beacon.nearestShare, digits: 4)
        json.spans("stays", beacon.visits.visits)
        json.spans("nearest", beacon.nearest.visits)
        json.object("presence") { json in
            json.value("from", report.seriesBegin?.rfc3339)
            json.value("bucket_s", report.bucketSeconds, digits: 3)
            json.array("counts") { json in
                for bucket in beacon.series { json.value(nil, bucket.count) }
            }
            json.array("rssi") { json in
                for bucket in beacon.series {
                    json.triple(bucket.levels.map { [Double($0.low), Double($0.median), Double($0.high)] }, digits: 0)
                }
            }
            json.array("distance_m") { json in
                for bucket in beacon.series {
                    json.triple(bucket.distance.map { [$0.low, $0.median, $0.high] }, digits: 2)
                }
            }
        }
    }

    private static func write(_ visits: VisitHistory, to json: inout JSONText) {
        json.value("dwell_s", visits.seconds, digits: 3)
        json.value("visits", visits.visits.count)
        json.value("dwell_median_s", visits.medianSeconds, digits: 3)
        json.value("dwell_longest_s", visits.longestSeconds, digits: 3)
        json.array("visits_by_hour") { json in
            for count in visits.byHour { json.value(nil, count) }
        }
    }

    private static func write(_ content: ContentHistory, to json: inout JSONText) {
        json.object("content") { json in
            json.array("beacons") { json in
                for entry in content.beacons {
                    json.object { json in
                        if let id = entry.beacon {
                            json.object("beacon") { $0.identity(id, name: entry.name) }
                        } else {
                            json.value("beacon", String?.none)
                        }
                        json.value("ready", entry.ready)
                        json.value("nothing", entry.nothing)
                        json.value("failed", entry.failed)
                        json.value("waiting", entry.waiting)
                        json.value("fetched_bytes", Int(clamping: entry.fetchedBytes))
                        json.value("last_problem", entry.lastProblem)
                        json.value("last_problem_time", entry.lastProblemTime?.rfc3339)
                    }
                }
            }
            json.array("site") { json in
                for result in content.site {
                    json.object { json in
                        json.value("time", result.time.rfc3339)
                        json.value("text", result.text)
                        json.value("fetched_bytes", Int(clamping: result.fetchedBytes))
                    }
                }
            }
        }
    }
}

extension JSONText {
    /// An array of pairs of times.
    fileprivate mutating func spans(_ key: String, _ spans: [ClosedRange<Timestamp>]) {
        array(key) { json in
            for span in spans {
                json.array { json in
                    json.value(nil, span.lowerBound.rfc3339)
                    json.value(nil, span.upperBound.rfc3339)
                }
            }
        }
    }

    fileprivate mutating func triple(_ values: [Double]?, digits: Int) {
        guard let values else { return value(nil, String?.none) }
        array { json in
            for number in values { json.value(nil, number, digits: digits) }
        }
    }
}

/// The names of the quantiles in all formats for programs.
enum ReportColumns {
    static func rssi(_ beacon: BeaconHistory) -> [(key: String, value: Int?)] {
        let rssi = beacon.rssi
        return [
            ("rssi_min", rssi?.min), ("rssi_p10", rssi?.p10), ("rssi_median", rssi?.median), ("rssi_p90", rssi?.p90),
            ("rssi_max", rssi?.max),
        ].map { ($0, $1.map(Int.init)) }
    }

    static func distance(_ beacon: BeaconHistory) -> [(key: String, value: Double?)] {
        let distance = beacon.distance
        return [
            ("distance_p10_m", distance?.p10), ("distance_median_m", distance?.median),
            ("distance_p90_m", distance?.p90),
        ]
    }
}
