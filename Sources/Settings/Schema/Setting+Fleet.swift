// Where this scanner stands among others.
extension Setting {
    static let fleet: [Setting] = [
        Setting(
            "fleet.room", .text(\.fleet.room), .restarts(["mqtt"]),
            "the room in which this scanner stands. With it, the scanner publishes each second what it hears, for "
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
            "the scanner is a beacon too, so that the scanners that hear each other level their antennas ([rooms]"
                + "(fleet.md#scanners-that-are-beacons)). It sends with the first adapter of `sources`, beside "
                + "listening"
        ),
        Setting(
            "fleet.beacon_id", .text(\.fleet.beaconID), .restarts(["mqtt"]), unset: "follows from `mqtt.host`",
            "major and minor of that beacon, as `MAJOR.MINOR`; no two scanners of a fleet have the same"),
    ]
}
