package import Beacon

/// The kind of an advertisement, as the bits of the extended commands and reports have it.
/// Core Specification Vol 4, Part E, 7.8.53 and 7.7.65.13.
package struct AdvertisingProperties: OptionSet, Hashable, Sendable {
    /// The bits as they stand in commands and reports.
    package var rawValue: UInt16

    /// From the bits.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A connection can be asked for.
    package static let connectable = AdvertisingProperties(rawValue: 1 << 0)
    /// A scan response can be asked for.
    package static let scannable = AdvertisingProperties(rawValue: 1 << 1)
    /// For one peer.
    package static let directed = AdvertisingProperties(rawValue: 1 << 2)
    /// In a report: this is the scan response. In a command the bit asks for the high duty cycle.
    package static let scanResponse = AdvertisingProperties(rawValue: 1 << 3)
    /// Sent in legacy PDUs, which every scanner hears.
    package static let legacy = AdvertisingProperties(rawValue: 1 << 4)
    /// In a command: leave the address out. In a report the bit belongs to the data status.
    package static let anonymous = AdvertisingProperties(rawValue: 1 << 5)

    /// ADV_IND.
    package static let legacyConnectable: AdvertisingProperties = [.connectable, .scannable, .legacy]
    /// ADV_SCAN_IND.
    package static let legacyScannable: AdvertisingProperties = [.scannable, .legacy]
    /// ADV_NONCONN_IND: what beacons send.
    package static let legacyNonconnectable: AdvertisingProperties = [.legacy]

    /// The event type of a legacy advertising report. Core Specification Vol 4, Part E, 7.7.65.2.
    var legacyEventType: UInt8 {
        if contains(.scanResponse) { return 0x04 }
        if contains(.directed) { return 0x01 }
        if contains(.connectable) { return 0x00 }
        return contains(.scannable) ? 0x02 : 0x03
    }
}

/// What is on the air in one advertising event: the packet that every receiver within reach can hear.
package struct AdvertisingPDU: Hashable, Sendable {
    /// Its kind.
    package var properties: AdvertisingProperties
    /// The sender's address; 0 where the sender is anonymous.
    package var address: DeviceAddress
    /// Public or random; 0xFF where the sender is anonymous.
    package var addressType: AddressType
    /// The advertising data: at most 31 octets in legacy PDUs.
    package var data: [UInt8]
    /// What an active scanner gets besides; counts only with `scannable`.
    package var scanResponse: [UInt8]
    /// Of extended PDUs; 0xFF where there is none.
    package var advertisingSID: UInt8
    /// As extended PDUs may carry it, in dBm; 127 where they do not.
    package var transmitPower: Int8
    /// Of extended PDUs: 1 is LE 1M, 2 is LE 2M; 0 where there is no secondary channel.
    package var secondaryPHY: UInt8
    /// Which of the channels 37, 38 and 39 (bits 0 to 2) it is sent on.
    package var channelMap: UInt8

    /// The defaults are those of a beacon: ADV_NONCONN_IND on all three channels.
    package init(
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
    package var isLegacy: Bool { properties.contains(.legacy) }
}
