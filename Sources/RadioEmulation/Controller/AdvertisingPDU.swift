public import Beacon

/// The kind of an advertisement, as the bits of the extended commands and reports have it.
/// Core Specification Vol 4, Part E, 7.8.53 and 7.7.65.13.
public struct AdvertisingProperties: OptionSet, Hashable, Sendable {
    /// The bits as they stand in commands and reports.
    public var rawValue: UInt16

    /// From the bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A connection can be asked for.
    public static let connectable = AdvertisingProperties(rawValue: 1 << 0)
    /// A scan response can be asked for.
    public static let scannable = AdvertisingProperties(rawValue: 1 << 1)
    /// For one peer.
    public static let directed = AdvertisingProperties(rawValue: 1 << 2)
    /// In a report: this is the scan response. In a command the bit asks for the high duty cycle.
    public static let scanResponse = AdvertisingProperties(rawValue: 1 << 3)
    /// Sent in legacy PDUs, which every scanner hears.
    public static let legacy = AdvertisingProperties(rawValue: 1 << 4)
    /// In a command: leave the address out. In a report the bit belongs to the data status.
    public static let anonymous = AdvertisingProperties(rawValue: 1 << 5)

    /// ADV_IND.
    public static let legacyConnectable: AdvertisingProperties = [.connectable, .scannable, .legacy]
    /// ADV_SCAN_IND.
    public static let legacyScannable: AdvertisingProperties = [.scannable, .legacy]
    /// ADV_NONCONN_IND: what beacons send.
    public static let legacyNonconnectable: AdvertisingProperties = [.legacy]

    /// The event type of a legacy advertising report. Core Specification Vol 4, Part E, 7.7.65.2.
    var legacyEventType: UInt8 {
        if contains(.scanResponse) { return 0x04 }
        if contains(.directed) { return 0x01 }
        if contains(.connectable) { return 0x00 }
        return contains(.scannable) ? 0x02 : 0x03
    }
}

/// What is on the air in one advertising event: the packet that every receiver within reach can hear.
public struct AdvertisingPDU: Hashable, Sendable {
    /// Its kind.
    public var properties: AdvertisingProperties
    /// The sender's address; 0 where the sender is anonymous.
    public var address: DeviceAddress
    /// Public or random; 0xFF where the sender is anonymous.
    public var addressType: AddressType
    /// The advertising data: at most 31 octets in legacy PDUs.
    public var data: [UInt8]
    /// What an active scanner gets besides; counts only with `scannable`.
    public var scanResponse: [UInt8]
    /// Of extended PDUs; 0xFF where there is none.
    public var advertisingSID: UInt8
    /// As extended PDUs may carry it, in dBm; 127 where they do not.
    public var transmitPower: Int8
    /// Of extended PDUs: 1 is LE 1M, 2 is LE 2M; 0 where there is no secondary channel.
    public var secondaryPHY: UInt8
    /// Which of the channels 37, 38 and 39 (bits 0 to 2) it is sent on.
    public var channelMap: UInt8

    /// The defaults are those of a beacon: ADV_NONCONN_IND on all three channels.
    public init(
        properties: AdvertisingProperties = .legacyNonconnectable, address: DeviceAddress,
        addressType: AddressType = .random, data: [UInt8], scanResponse: [UInt8] = [], advertisingSID: UInt8 = 0xFF,
        transmitPower: Int8 = 127, secondaryPHY: UInt8 = 0, channelMap: UInt8 = 0x07
    ) {
        self.properties = properties
        self.address = address
        self.addressType = addressType
        self.data = data
        self.scanResponse = scanResponse
        self.advertisingSID = advertisingSID
        self.transmitPower = transmitPower
        self.secondaryPHY = secondaryPHY
        self.channelMap = channelMap
    }

    /// Sent in legacy PDUs.
    public var isLegacy: Bool { properties.contains(.legacy) }
}
