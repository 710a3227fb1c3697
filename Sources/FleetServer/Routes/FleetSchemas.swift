import Control
import Rooms
import Serving

/// What a resolver answers.
enum FleetSchemas {
    static let all: [String: Schema] = ControlSchemas.common.merging(others) { $1 }

    private static let metres = Schema.number().orNull
    private static let floor = Schema.integer(-1000...1000)

    private static let others: [String: Schema] = [
        "Wellbeing": .whole(
            ["status": .choice(["ok", "starting", "disconnected", "blind", "late"])], optional: ["reason": .text()]),
        "Status": .whole([
            "version": .text(), "started_at": .moment, "status": .text(), "connected": .bool, "answering": .bool,
            "lag_s": Schema.seconds.orNull, "beacons": .count, "scanners": .count, "history": .bool,
        ]),
        "Rooms": .whole([
            "time": .moment, "second": Schema.moment.orNull, "connected": .bool, "answering": .bool,
            "rooms": .list(.ref("BeaconRoom")),
        ]),
        "BeaconRoom": .ofBeacon(
            [
                "room": Schema.text().orNull, "floor": floor.orNull, "probability": Schema.number(0...1).orNull,
                "since": .moment, "x": metres, "y": metres, "within": metres,
            ], optional: ["unknown": .text("Why there is no room.")]),
        "Health": .whole(["time": .moment, "beacons": .list(.ref("BeaconHealth"))]),
        "Scanners": .whole([
            "time": .moment,
            "scanners": .list(
                .whole([
                    "scanner": .text(), "state": .choice(["ok", "blind", "gone"]), "since": .moment, "room": .text(),
                    "floor": floor, "x": metres, "y": metres, "version": Schema.text().orNull,
                    "revision": Schema.count.orNull, "clock_ms": Schema.integer().orNull,
                ])),
        ]),
        "Report": .whole([
            "from": .moment, "to": .moment, "time_zone": .text(), "is_cut": .bool,
            "history_begins": Schema.moment.orNull,
            "rooms": .list(
                .whole(["room": .text(), "floor": floor, "dwell_s": .seconds, "visits": .count, "beacons": .count])),
            "beacons": .list(
                .ofBeacon(["dwell_s": .seconds, "rooms": .list(.object([:])), "stays": .list(.object([:]))])),
            "transitions": .list(.whole(["from": .object([:]), "to": .object([:]), "count": .count])),
            "health": .list(.ref("ReportedProblem")),
        ]),
        "Heat": .whole([
            "rooms": .list(.whole(["room": .text(), "floor": floor, "dwell_s": .seconds])),
            "metres": .list(.list(.integer(), most: 4)),
        ]),
        "Plans": .whole([
            "plans": .list(
                .whole([
                    "floor": floor, "name": Schema.text().orNull, "width_m": Schema.number().orNull, "picture": .text(),
                ])),
            "rooms": .list(.whole(["room": .text(), "floor": floor, "corners": .list(.list(.number(), most: 2))])),
        ]),
    ]
}
