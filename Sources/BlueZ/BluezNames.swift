/// Names of bluetoothd's objects and interfaces. BlueZ, doc/org.bluez.*.rst.
enum BluezNames {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let monitor = "org.bluez.AdvertisementMonitor1"

    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    /// The object path of an adapter.
    static func path(ofAdapter index: UInt16) -> String { "/org/bluez/hci\(index)" }
}
