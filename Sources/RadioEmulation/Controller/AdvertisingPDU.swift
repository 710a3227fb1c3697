package import Beacon

/// The properties of an advertisement, with the bits of the extended commands and reports. Core Specification Vol 4,
/// Part E, 7.8.53 and 7.7.65.13.
package struct AdvertisingProperties: OptionSet, Hashable, Sendable {
    /// The bits as in commands and reports.
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A central may connect.
    package static let connectable = AdvertisingProperties(rawValue: 1 << 0)
    /// A scanner may request a scan response.
    package static let scannable = AdvertisingProperties(rawValue: 1 << 1)
    /// For one peer only.
    package static let directed = AdvertisingProperties(rawValue: 1 << 2)
    /// In a report: this is the scan response. In a command: use the high duty cycle.
    package static let scanResponse = AdvertisingProperties(rawValue: 1 << 3)
    /// Sent in legacy PDUs, which every scanner receives.
    package static let legacy = AdvertisingProperties(rawValue: 1 << 4)
    /// In a command: leave out the address. In a report the bit is part of the data status.
    package static let anonymous = AdvertisingProperties(rawValue: 1 << 5)

    /// ADV_IND.
    package static let legacyConnectable: AdvertisingProperties = [.connectable, .scannable, .legacy]
    /// ADV_SCAN_IND.
    package static let legacyScannable: AdvertisingProperties = [.scannable, .legacy]
    /// ADV_NONCONN_IND, which beacons send.
    package static let legacyNonconnectable: AdvertisingProperties = [.legacy]

    /// The event type of a legacy advertising report. Core Specification Vol 4, Part E, 7.7.65.2.
    var legacyEventType: UInt8 {
        if contains(.scanResponse) { return 0x04 }
        if contains(.directed) { return 0x01 }
        if contains(.connectable) { return 0x00 }
        return contains(.scannable) ? 0x02 : 0x03
    }
}

/// The packet of one advertising event, as all receivers in range can receive it.
package struct AdvertisingPDU: Hashable, Sendable {
    package var properties: AdvertisingProperties
    /// The sender's address; 0 if it is anonymous.
    package var address: DeviceAddress
    /// Public or random; 0xFF if the sender is anonymous.
    package var addressType: AddressType
    /// The advertising data: at most 31 octets in legacy PDUs.
    package var data: [UInt8]
    /// The data that an active scanner gets in addition. Used only with `scannable`.
    package var scanResponse: [UInt8]
    /// Only in extended PDUs; 0xFF for none.
    package var advertisingSID: UInt8
    /// In dBm, only in extended PDUs; 127 for none.
    package var transmitPower: Int8
    /// Only in extended PDUs: 1 is LE 1M, 2 is LE 2M; 0 for no secondary channel.
    package var secondaryPHY: UInt8
    /// The advertising channels: 37, 38 and 39 are bits 0 to 2.
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

    package var isLegacy: Bool { properties.contains(.legacy) }
}
