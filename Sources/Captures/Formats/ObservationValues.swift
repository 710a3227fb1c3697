import Beacon

/// The values of a row that were read so far.
struct ObservationValues {
    private var time: Timestamp?
    private var uuid: ProximityUUID?
    private var major: UInt16?
    private var minor: UInt16?
    private var measuredPower: Int8?
    private var rssi: Int8?
    private var address: DeviceAddress?
    private var addressType = AddressType.public
    private var eventType: UInt16?

    /// Reads one field. Returns what is wrong with it, or nil.
    mutating func read(_ text: RawSpan, as column: ObservationColumns.Column) -> SkipReason? {
        let isEmpty = text.byteCount == 0
        switch column {
        case .time:
            guard !isEmpty else { return nil }
            time = Timestamp(secondsText: text) ?? Timestamp(rfc3339: text.string)
            return time == nil ? .invalidTime : nil
        case .uuid:
            uuid = ProximityUUID(text.string)
            return uuid == nil ? .invalidUUID : nil
        case .major:
            major = text.integer(as: UInt16.self)
            return major == nil ? .invalidMajor : nil
        case .minor:
            minor = text.integer(as: UInt16.self)
            return minor == nil ? .invalidMinor : nil
        case .measuredPower:
            measuredPower = text.integer(as: Int8.self)
            return measuredPower == nil ? .invalidMeasuredPower : nil
        case .rssi:
            let level = text.integer(as: Int8.self)
            // 127 is HCI's "not available", which programs write as it is (Core Specification Vol 4, Part E, 7.7.65.2).
            rssi = level == 127 ? nil : level
            return level == nil && !isEmpty ? .invalidRSSI : nil
        case .address:
            address = isEmpty ? nil : DeviceAddress(text.string)
            return address == nil && !isEmpty ? .invalidAddress : nil
        case .addressType:
            switch text.string.lowercased() {
            case "public", "": addressType = .public
            case "random": addressType = .random
            default: return .invalidAddress
            }
            return nil
        case .eventType:
            eventType = text.integer(as: UInt16.self)
            return eventType == nil && !isEmpty ? .invalidEventType : nil
        case .scanner, .source:
            return nil
        }
    }

    var sighting: Sighting? {
        guard let uuid, let major, let minor, let measuredPower else { return nil }
        return Sighting(
            time: time, address: address, addressType: addressType, eventType: eventType, rssi: rssi,
            beacon: IBeacon(
                id: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower))
    }
}
