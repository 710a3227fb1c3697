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
    ]
}
