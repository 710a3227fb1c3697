import Settings


extension ConfigurationKey {
    static let bus = ConfigurationKey(
        "dbus.enabled", .flag, "Be on the system's bus as org.beacond.Beacond1; without it, where the bus allows that.")
}

extension BusServiceSettings {
    /// Nil where the daemon is not to be on the bus.
    init?(_ values: inout Values) {
        let isEnabled = values.flag(.bus)
        guard isEnabled != false else { return nil }
        self.init(isDemanded: isEnabled == true)
    }
}
