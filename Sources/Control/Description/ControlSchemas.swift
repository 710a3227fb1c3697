import Beacon
import Health
import Ranging
package import Serving

/// The schemas of the daemon's answers.
package enum ControlSchemas {
    /// The schemas that all servers with these routes have.
    package static let common: [String: Schema] = [
        "Refusal": .whole(
            ["error": .text("What is wrong."), "what_to_do": .text("What helps.")],
            optional: ["problems": .list(.text("A mistake of the configuration, with its place."))]),
        "Routes": .whole([
            "routes": .list(.whole(["method": .choice(["GET", "POST"]), "path": .text(), "help": .text()]))
        ]),
        "Beacon": .beacon,
        "Problem": .whole([
            "kind": problemKind, "since": .moment, "evidence": .text(), "problem": problemKind,
        ]),
        "BeaconHealth": .ofBeacon([
            "state": .choice(["ok", "problem", "learning"]), "problems": .list(.ref("Problem")),
            "level": Schema.decibels.orNull, "interval_s": Schema.seconds.orNull,
            "battery": Schema.integer(0...100).orNull, "last_heard": Schema.moment.orNull,
        ]),
        "ReportedProblem": .ofBeacon([
            "problem": problemKind, "since": .moment,
            "until": Schema.moment.orNull, "seconds": .seconds, "evidence": .text(),
        ]),
    ]

    package static let daemon: [String: Schema] = common.merging(daemonAnswers) { $1 }

    private static let problemKind = Schema.choice(HealthProblem.Kind.allCases.map(\.rawValue))
    private static let scanner = Schema.choice(["ok", "blind"])
    private static let beaconOrNull = Schema.ref("Beacon").orNull
    private static let proximities = Schema.choice(Proximity.allCases.map(\.rawValue))
    private static let span = Schema.list(.moment, most: 2)

    private static let distance: [String: Schema] = [
        "distance_m": Schema.number().orNull, "distance_low_m": Schema.number().orNull,
        "distance_high_m": Schema.number().orNull,
    ]

    private static let daemonAnswers: [String: Schema] = [
        "Wellbeing": .whole(["status": .choice(["ok", "starting", "blind"])], optional: ["reason": .text()]),
        "Status": .whole(
            [
                "version": .text(), "time": .moment, "started_at": .moment, "uptime_s": .count, "scanner": scanner,
                "sources": .list(.ref("Source")), "parts": .list(.ref("FailingPart")), "nearest": beaconOrNull,
                "beacons": .count, "last_ranking": Schema.moment.orNull, "last_event": .count,
                "content": Schema.ref("ContentStatus").orNull
            ], optional: ["reports": .ref("ReportStatus")]),
        "Source": .whole([
            "source": .text(), "state": .choice(["listening", "lost", "over"]), "detail": .text(), "since": .moment,
        ]),
        "FailingPart": .whole([
            "part": .text(), "state": .choice(["failed"]), "problem": .text(), "since": .moment,
        ]),
        "ContentStatus": .whole(
            [
                "site": Schema.text().orNull, "directory": .text(), "revision": Schema.count.orNull,
                "problem": Schema.text().orNull, "fetched_files": .count, "fetched_bytes": .count,
                "wanted": Schema.object([:]).orNull, "progress": .list(.object([:])),
            ]),
        "ReportStatus": .whole([
            "last": Schema.moment.orNull, "waiting": .count, "problem": Schema.text().orNull,
        ]),
        "Ranking": .whole([
            "time": .moment, "scanner": scanner, "nearest": beaconOrNull, "beacons": .list(.ref("RankedBeacon")),
        ]),
        "RankedBeacon": .ofBeacon(
            [
                "rank": .count, "rssi": Schema.integer(-128...127).orNull, "rssi_filtered": Schema.decibels.orNull,
                "measured_power": .integer(-128...127), "proximity": proximities, "last_seen": .moment, "count": .count,
            ].merging(distance) { $1 },
            optional: [
                "receivers": .list(
                    .whole(["source": .text(), "rssi_filtered": Schema.decibels.orNull, "used": .bool]))
            ]),
        "Health": .whole(["time": .moment, "beacons": .list(.ref("BeaconHealth"))]),
        "Regions": .whole([
            "regions": .list(
                .whole([
                    "region": .text(), "uuid": .uuid, "major": Schema.sixteenBits.orNull,
                    "minor": Schema.sixteenBits.orNull, "dwell_s": Schema.seconds.orNull, "inside": .bool,
                    "since": Schema.moment.orNull, "beacons": .count,
                ]))
        ]),
        "Explanation": .ofBeacon(
            [
                "time": .moment, "present": .bool, "silence_s": .seconds, "exit_s": .seconds,
                "interval_s": Schema.seconds.orNull,
                "readings": .list(.whole(["time": .moment, "rssi": .integer(-128...127), "source": .text()])),
                "receivers": .list(
                    .whole([
                        "source": .text(), "rssi_filtered": .decibels, "deviation_db": .number(), "count": .count,
                        "used": .bool,
                    ])),
                "rssi_filtered": Schema.decibels.orNull, "deviation_db": Schema.number().orNull,
                "measured_power": .integer(-128...127), "measured_power_corrected": .number(), "proximity": proximities,
                "nearest": .bool, "allowance_db": .number(), "probability_nearer": Schema.number(0...1).orNull,
                "seconds_to_nearest": Schema.seconds.orNull, "verdict": Schema.ref("Decision").orNull,
                "regions": .list(.text()), "rotating": .bool, "decisions": .list(.ref("Decision")),
                "content": Schema.whole(["manifest": Schema.text().orNull, "reason": .text()]).orNull,
            ].merging(distance) { $1 }),
        "Decision": .whole(
            [
                "time": .moment, "reason": .text(), "lead_db": Schema.number().orNull,
                "evidence_db_s": Schema.number().orNull, "needed_db_s": Schema.number().orNull, "holder": beaconOrNull,
                "challenger": beaconOrNull,
            ]),
        "ContentList": .whole(["content": .list(.ref("ContentState"))]),
        "ContentState": .whole(
            [
                "scope": .text(), "state": .choice(["complete", "partial", "stale", "missing"]), "assets": .count,
                "bytes": .count, "present_bytes": .count, "validated_at": Schema.moment.orNull,
                "name": Schema.text().orNull,
            ],
            optional: Schema.numbers.merging(["percent": .integer(0...100), "since": Schema.moment.orNull]) { $1 }),
        "StoredContent": .whole(
            [
                "scope": .text(), "name": Schema.text().orNull, "validated_at": Schema.moment.orNull, "files": .count,
                "missing": .count, "bytes": .count, "manifest": .object([:]),
            ], optional: Schema.numbers.merging(["path": .text()]) { $1 }),
        "Verification": .whole([
            "assets": .count, "bytes": .count, "damaged_assets": .list(.text()), "damaged_documents": .list(.text()),
            "missing_assets": .list(.text()), "missing_documents": .list(.text()), "not_stored": .count,
            "repaired": .bool,
        ]),
        "Removal": .whole(["assets": .count, "bytes": .count, "documents": .count]),
        "Reload": .whole(
            ["state": .choice(["applied"])], optional: ["file": .text(), "needs_restart": .list(.text())]),
        "Report": .whole([
            "sources": .list(.text()), "from": Schema.moment.orNull, "to": Schema.moment.orNull,
            "time_zone": Schema.text().orNull, "count": .count,
            "count_is_about": .bool, "without_time": .count, "dropped": .count,
            "scanner": .whole([
                "recorded_s": .seconds, "blind_s": .seconds, "recorded": .list(span), "blind": .list(span),
            ]),
            "beacons": .list(
                .ofBeacon([
                    "measured_power": .integer(-128...127), "first_seen": .moment, "last_seen": .moment,
                    "dwell_s": .seconds, "visits": .count, "count": .count, "nearest_s": .seconds,
                    "nearest_share": Schema.number(0...1).orNull, "stays": .list(span), "nearest": .list(span),
                    "presence": .object([:]),
                ])),
            "regions": .list(.whole(["name": .text(), "dwell_s": .seconds, "visits": .count])),
            "transitions": .list(.whole(["from": .ref("Beacon"), "to": .ref("Beacon"), "count": .count])),
            "content": .whole(["beacons": .list(.object([:])), "site": .list(.object([:]))]),
            "health": .list(.ref("ReportedProblem")),
        ]),
    ]
}
