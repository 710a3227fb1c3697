import Beacon
import BlueZ
import Bus

/// What a bluetoothd announces, for scripts.
enum Announced {
    static let adapterPath = "/org/bluez/hci0"
    static let path = adapterPath + "/dev_C0_00_00_00_00_01"
    static let daemon = ":1.1"

    static func beacon(minor: UInt16 = 1) -> IBeacon {
        IBeacon(
            id: BeaconID(uuid: ProximityUUID(uuid) ?? ProximityUUID(0), major: 7, minor: minor), measuredPower: -59)
    }

    private static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

    /// What follows the company identifier.
    static func octets(minor: UInt16 = 1) -> [UInt8] {
        Array(beacon(minor: minor).advertisingData(flags: nil).dropFirst(4))
    }

    static func data(minor: UInt16 = 1) -> BusValue {
        .dictionary([.uint16(0x004C): .variant(.bytes(octets(minor: minor)))], of: "qv")
    }

    /// Properties of a device.
    static func device(rssi: Int16?, minor: UInt16 = 1) -> BusValue {
        var properties: [String: BusValue] = [
            "Address": .string("C0:00:00:00:00:01"), "AddressType": .string("random"), "Paired": .boolean(false),
            "ManufacturerData": data(minor: minor),
        ]
        if let rssi { properties["RSSI"] = .int16(rssi) }
        return .properties(properties)
    }

    /// An adapter's interfaces and their properties.
    static func adapter(isPowered: Bool = true, offersMonitors: Bool = true) -> BusValue {
        var interfaces: [BusValue: BusValue] = [
            .string("org.bluez.Adapter1"): .properties([
                "Address": .string("02:00:00:00:00:00"), "Powered": .boolean(isPowered),
            ])
        ]
        if offersMonitors {
            interfaces[.string("org.bluez.AdvertisementMonitorManager1")] = .properties([
                "SupportedMonitorTypes": .array([.string("or_patterns")], of: "s")
            ])
        }
        return .dictionary(interfaces, of: "sa{sv}")
    }

    static func deviceInterfaces(rssi: Int16?, minor: UInt16 = 1) -> BusValue {
        .dictionary([.string("org.bluez.Device1"): device(rssi: rssi, minor: minor)], of: "sa{sv}")
    }

    static func objects(_ objects: [String: BusValue]) -> BusValue {
        .dictionary(
            Dictionary(uniqueKeysWithValues: objects.map { (.path($0.key), $0.value) }), of: "oa{sa{sv}}")
    }

    // MARK: - Messages

    static func from(_ sender: String, _ message: BusMessage) -> BusMessage {
        var message = message
        message.sender = sender
        return message
    }

    static func added(_ path: String, _ interfaces: BusValue) -> BusMessage {
        from(daemon, .signal(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.path(path), interfaces]))
    }

    static func removed(_ path: String, _ interface: String) -> BusMessage {
        from(daemon, .signal(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
            [.path(path), .array([.string(interface)], of: "s")]))
    }

    static func changed(
        _ path: String, of interface: String = "org.bluez.Device1", _ properties: [String: BusValue],
        invalidated: [String] = []
    ) -> BusMessage {
        from(daemon, .signal(
            path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [
                .string(interface), .properties(properties), .array(invalidated.map { BusValue.string($0) }, of: "s"),
            ]))
    }

    static func owner(_ before: String, _ after: String) -> BusMessage {
        from("org.freedesktop.DBus", .signal(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
            [.string("org.bluez"), .string(before), .string(after)]))
    }

    static func monitorCall(_ member: String, _ body: [BusValue] = [], from sender: String = daemon) -> BusMessage {
        var call = from(
            sender, .call(":1.2", AdvertisementMonitor.path, "org.bluez.AdvertisementMonitor1", member, body))
        call.serial = 5
        return call
    }
}
