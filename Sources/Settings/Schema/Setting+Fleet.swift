// Where this scanner stands among others.
extension Setting {
    static let fleet: [Setting] = [
        Setting(
            "fleet.room", .text(\.fleet.room), .restarts(["mqtt"]),
            "the room of this scanner. With it, the scanner publishes each second what it receives, for "
                + "`beacon-fleet` ([rooms](fleet.md)); needs `mqtt.url`. Without it nothing is published for a fleet"),
        Setting(
            "fleet.floor", .count(-99...999, \.fleet.floor), .restarts(["mqtt"]),
            "the floor of that room; 0 is the ground floor"),
        Setting(
            "fleet.position", .texts(\.fleet.position), .restarts(["mqtt"]),
            "where on the floor the scanner stands: metres to the right and down from the corner of the floor's plan, "
                + "as in `[3.5, 2]`"),
        Setting(
            "fleet.beacon", .flag(\.fleet.isBeacon), .restarts(["mqtt"]),
            "the scanner is also a beacon, so that scanners that receive each other can calibrate their "
                + "antennas ([rooms](fleet.md#scanners-that-are-beacons)). It sends with the first adapter of "
                + "`sources`, while it listens"
        ),
        Setting(
            "fleet.beacon_id", .text(\.fleet.beaconID), .restarts(["mqtt"]), unset: "follows from `mqtt.host`",
            "major and minor of that beacon, as `MAJOR.MINOR`; no two scanners of a fleet may have the same"),
    ]
}
