package import Beacon
package import Bus

/// From bluetoothd's device objects to sightings: a pure state machine over properties as they are announced.
///
/// bluetoothd tells only what has changed, so the last known level and the last known beacon of every device are kept
/// and complete each other. BlueZ, doc/org.bluez.Device.rst.
package struct DeviceTracker: Sendable {
    private struct Device {
        var address: DeviceAddress?
        var addressType: AddressType = .public
        var rssi: Int8?
        var beacon: IBeacon?
        /// Percent, as its scan response says.
        var battery: UInt8?
        /// A sighting was made of what is known now.
        var isTold = false
    }

    /// Devices kept at most; bluetoothd itself forgets those that it no longer hears.
    static let capacity = 16_384

    private let adapterPath: String
    private let source: SourceID
    private var devices: [String: Device] = [:]

    /// Announcements of devices' properties so far.
    package private(set) var updates = 0
    /// Announcements that had a property of another type than documented.
    package private(set) var malformed = 0

    /// - Parameters:
    ///   - adapterPath: the adapter's object; devices of other adapters are passed over.
    ///   - source: goes into every sighting.
    package init(adapterPath: String, source: SourceID) {
        self.adapterPath = adapterPath
        self.source = source
    }

    /// Whether a path is that of a device of this adapter.
    func isDevice(_ path: String) -> Bool {
        path.hasPrefix(adapterPath + "/") && !path.dropFirst(adapterPath.count + 1).contains("/")
    }

    /// A device object is there: it was listed or has just appeared. Without a level it is only remembered, since
    /// bluetoothd also has objects of devices that it does not hear.
    ///
    /// - Parameter properties: those of `org.bluez.Device1`.
    package mutating func appeared(_ path: String, _ properties: BusValue, at time: Timestamp?) -> Sighting? {
        guard isDevice(path), devices[path] != nil || devices.count < Self.capacity else { return nil }
        updates += 1
        var device = Device()
        device.address = Self.address(in: path)
        read(properties, into: &device)
        defer { devices[path] = device }
        guard device.rssi != nil || properties["RSSI"] != nil, let beacon = device.beacon else { return nil }
        device.isTold = true
        return sighting(of: device, beacon, at: time)
    }

    /// Properties of a device have changed. A level or manufacturer data in it means that it was heard.
    ///
    /// - Parameter invalidated: names of properties that are no longer known.
    package mutating func changed(
        _ path: String, _ properties: BusValue, invalidated: [BusValue] = [], at time: Timestamp?
    ) -> Sighting? {
        guard isDevice(path), devices[path] != nil || devices.count < Self.capacity else { return nil }
        updates += 1
        var device = devices[path] ?? Device(address: Self.address(in: path))
        defer { devices[path] = device }
        for name in invalidated.compactMap(\.text) {
            switch name {
            case "RSSI": (device.rssi, device.isTold) = (nil, false)
            case "ManufacturerData": (device.beacon, device.isTold) = (nil, false)
            default: continue
            }
        }
        read(properties, into: &device)
        guard properties["RSSI"] != nil || properties["ManufacturerData"] != nil, let beacon = device.beacon else {
            return nil
        }
        device.isTold = true
        return sighting(of: device, beacon, at: time)
    }

    /// An advertisement monitor says that it hears a device. That is news only where nothing else has told it: a
    /// device that was known already, with an unchanged level.
    package mutating func found(_ path: String, at time: Timestamp?) -> Sighting? {
        guard var device = devices[path], !device.isTold, device.rssi != nil, let beacon = device.beacon else {
            return nil
        }
        device.isTold = true
        devices[path] = device
        return sighting(of: device, beacon, at: time)
    }

    /// An advertisement monitor says that it no longer hears a device.
    package mutating func lost(_ path: String) {
        devices[path]?.isTold = false
    }

    /// A device object is gone.
    package mutating func removed(_ path: String) {
        devices[path] = nil
    }

    /// bluetoothd has ended, and all its objects with it.
    package mutating func removeAll() {
        devices = [:]
    }

    // MARK: - Inside

    private func sighting(of device: Device, _ beacon: IBeacon, at time: Timestamp?) -> Sighting {
        var beacon = beacon
        beacon.battery = beacon.battery ?? device.battery
        return Sighting(
            time: time, source: source, address: device.address, addressType: device.addressType, rssi: device.rssi,
            beacon: beacon)
    }

    private mutating func read(_ properties: BusValue, into device: inout Device) {
        var isSound = properties.entries != nil
        if let value = properties["Address"] {
            let address = value.text.flatMap(DeviceAddress.init)
            isSound = isSound && address != nil
            device.address = address ?? device.address
        }
        if let value = properties["AddressType"] {
            isSound = isSound && value.text != nil
            device.addressType = value.text == "random" ? .random : .public
        }
        if let value = properties["RSSI"] {
            isSound = isSound && value.integer != nil
            // 127 is a controller's "not available", and comes through as it is.
            device.rssi = value.integer.flatMap { (-127...126).contains($0) ? Int8($0) : nil }
        }
        if let value = properties["ManufacturerData"] {
            isSound = isSound && value.entries != nil
            device.beacon = Self.beacon(in: value)
        }
        if let value = properties["ServiceData"] {
            isSound = isSound && value.entries != nil
            device.battery =
                value.entries?[.string(Self.batteryService)]?.octets?.first.flatMap(BatteryLevel.level)
                ?? device.battery
        }
        malformed += isSound ? 0 : 1
    }

    private static let batteryService = "0000180f-0000-1000-8000-00805f9b34fb"

    /// The iBeacon in manufacturer data: a dictionary from company identifiers to what follows them.
    private static func beacon(in data: BusValue) -> IBeacon? {
        guard let octets = data.entries?[.uint16(0x004C)]?.octets else { return nil }
        let value = [0x4C, 0x00] + octets
        return IBeacon(manufacturerData: value.span.bytes, in: 0..<value.count)
    }

    /// `…/dev_AA_BB_CC_DD_EE_FF`
    private static func address(in path: String) -> DeviceAddress? {
        guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
        return DeviceAddress(name.dropFirst(4).split(separator: "_").joined(separator: ":"))
    }
}
