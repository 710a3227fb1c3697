package import Beacon
package import Bus

/// Turns bluetoothd's device objects into sightings: a pure state machine over announced properties.
///
/// bluetoothd announces only changes. So the last known level and the last known beacon of every device are kept and
/// complete each other. BlueZ, doc/org.bluez.Device.rst.
package struct DeviceTracker: Sendable {
    private struct Device {
        var address: DeviceAddress?
        var addressType: AddressType = .public
        var rssi: Int8?
        var beacon: IBeacon?
        /// Percent, from its scan response.
        var battery: UInt8?
        /// The current state was already returned as a sighting.
        var isTold = false
    }

    /// The maximum number of kept devices. bluetoothd itself removes devices that it does not receive any more.
    static let capacity = 16_384

    private let adapterPath: String
    private let source: SourceID
    private var devices: [String: Device] = [:]

    /// Announcements of devices' properties so far.
    package private(set) var updates = 0
    /// Announcements and calls so far that mean that a device was received.
    package private(set) var receptions = 0
    /// Announcements that had a property of another type than documented.
    package private(set) var malformed = 0

    /// - Parameters:
    ///   - adapterPath: the adapter's object path; devices of other adapters are ignored.
    ///   - source: the source ID in every sighting.
    package init(adapterPath: String, source: SourceID) {
        self.adapterPath = adapterPath
        self.source = source
    }

    /// Whether a path is the path of a device of this adapter.
    func isDevice(_ path: String) -> Bool {
        path.hasPrefix(adapterPath + "/") && !path.dropFirst(adapterPath.count + 1).contains("/")
    }

    /// Whether announced properties mean that the device was received.
    static func isReception(_ properties: BusValue) -> Bool {
        properties["RSSI"] != nil || properties["ManufacturerData"] != nil
    }

    /// Notes a device object that was listed or has just appeared. Without a level it is only remembered, because
    /// bluetoothd also has objects of devices that it does not receive.
    ///
    /// - Parameters:
    ///   - properties: the properties of `org.bluez.Device1`.
    ///   - isHeard: a level means that the device is heard now; otherwise it is only remembered, too.
    package mutating func appeared(
        _ path: String, _ properties: BusValue, isHeard: Bool = true, at time: Timestamp?
    ) -> Sighting? {
        guard isDevice(path), devices[path] != nil || devices.count < Self.capacity else { return nil }
        updates += 1
        if isHeard, properties["RSSI"] != nil { receptions += 1 }
        var device = Device()
        device.address = Self.address(in: path)
        read(properties, into: &device)
        defer { devices[path] = device }
        guard isHeard, device.rssi != nil || properties["RSSI"] != nil, let beacon = device.beacon else { return nil }
        device.isTold = true
        return sighting(of: device, beacon, at: time)
    }

    /// Notes changed properties of a device. A level or manufacturer data among them means that the device was
    /// received.
    ///
    /// - Parameter invalidated: names of properties that are no longer known.
    package mutating func changed(
        _ path: String, _ properties: BusValue, invalidated: [BusValue] = [], at time: Timestamp?
    ) -> Sighting? {
        guard isDevice(path), devices[path] != nil || devices.count < Self.capacity else { return nil }
        updates += 1
        let isReceived = Self.isReception(properties)
        if isReceived { receptions += 1 }
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
        guard isReceived, let beacon = device.beacon else { return nil }
        device.isTold = true
        return sighting(of: device, beacon, at: time)
    }

    /// Notes that an advertisement monitor receives a device. That is news only if nothing else has reported it: for a
    /// device that was already known, with an unchanged level.
    package mutating func found(_ path: String, at time: Timestamp?) -> Sighting? {
        if isDevice(path) { receptions += 1 }
        guard var device = devices[path], !device.isTold, device.rssi != nil, let beacon = device.beacon else {
            return nil
        }
        device.isTold = true
        devices[path] = device
        return sighting(of: device, beacon, at: time)
    }

    /// Notes that an advertisement monitor does not receive a device any more.
    package mutating func lost(_ path: String) {
        devices[path]?.isTold = false
    }

    /// Notes that a device object has disappeared.
    package mutating func removed(_ path: String) {
        devices[path] = nil
    }

    /// Notes that bluetoothd has ended, and all its objects with it.
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
            // 127 is a controller's "not available". bluetoothd passes it on.
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

    /// The iBeacon in manufacturer data: a dictionary from company identifiers to the octets after them.
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
