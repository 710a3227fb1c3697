package import Beacon

/// How a controller advertises. Core Specification Vol 4, Part E, 7.8.5 and 7.8.53.
package struct AdvertisingParameters: Hashable, Sendable {
    /// Units of 0.625 ms: 0x00A0 is 100 ms. 0x0020 (20 ms) to 0x4000 (10.24 s) are allowed.
    package var minimumInterval: UInt16
    package var maximumInterval: UInt16
    /// Whether to use the random address that was set for the controller or the set, instead of the public address.
    package var ownAddressIsRandom: Bool
    /// dBm, -127 to 20. The controller rounds it to a value that it supports. With nil the controller chooses, as it
    /// always does with the legacy commands.
    package var transmitPower: Int8?

    package init(
        minimumInterval: UInt16 = 0x00A0, maximumInterval: UInt16 = 0x00A0, ownAddressIsRandom: Bool = false,
        transmitPower: Int8? = nil
    ) {
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.ownAddressIsRandom = ownAddressIsRandom
        self.transmitPower = transmitPower
    }

    var ownAddressType: UInt8 { ownAddressIsRandom ? 0x01 : 0x00 }

    /// All three advertising channels: 37, 38 and 39.
    static let allChannels: UInt8 = 0x07
}

/// The advertising set that the extended commands work on.
package struct AdvertisingHandle: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    /// 0x00 to 0xEF.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let first = AdvertisingHandle(rawValue: 0)
    /// The handle for one of several programs on a shared controller. Linux uses the lowest numbers. It also puts its
    /// own data into set 0 whenever a program sets the parameters of that set.
    ///
    /// - Parameter number: 0 to 15.
    package static func shared(_ number: UInt8) -> AdvertisingHandle {
        AdvertisingHandle(rawValue: 0xE0 + min(number, 15))
    }
}

// MARK: - Legacy commands

extension Command {
    /// ADV_NONCONN_IND (type 0x03), all channels, no filter. Vol 4, Part E, 7.8.5.
    package static func leSetAdvertisingParameters(_ advertising: AdvertisingParameters) -> Command {
        var parameters: [UInt8] = []
        parameters.append(littleEndian: advertising.minimumInterval)
        parameters.append(littleEndian: advertising.maximumInterval)
        parameters += [0x03, advertising.ownAddressType, 0x00, 0, 0, 0, 0, 0, 0]
        parameters += [AdvertisingParameters.allChannels, 0x00]
        return Command(.leSetAdvertisingParameters, parameters)
    }

    /// Always 32 octets: the length, then 31 octets padded with zeros. Vol 4, Part E, 7.8.7.
    ///
    /// - Parameter data: at most 31 octets; the rest is cut off.
    package static func leSetAdvertisingData(_ data: [UInt8]) -> Command {
        Command(.leSetAdvertisingData, lengthAndPadded(data))
    }

    /// As `leSetAdvertisingData`. Vol 4, Part E, 7.8.8.
    package static func leSetScanResponseData(_ data: [UInt8]) -> Command {
        Command(.leSetScanResponseData, lengthAndPadded(data))
    }

    /// Vol 4, Part E, 7.8.9.
    package static func leSetAdvertisingEnable(_ isOn: Bool) -> Command {
        Command(.leSetAdvertisingEnable, [isOn ? 1 : 0])
    }

    /// Like `leSetAdvertisingData`, but without the last octet of padding, as the Raspberry Pi guides send it: 31
    /// octets, which a strict controller refuses.
    package static func leSetAdvertisingDataWithoutLastOctet(_ data: [UInt8]) -> Command {
        Command(.leSetAdvertisingData, Array(lengthAndPadded(data).dropLast()))
    }

    private static func lengthAndPadded(_ data: [UInt8]) -> [UInt8] {
        let data = Array(data.prefix(31))
        return [UInt8(data.count)] + data + Array(repeating: 0, count: 31 - data.count)
    }
}

// MARK: - Extended commands

extension Command {
    /// A set that sends legacy ADV_NONCONN_IND PDUs on the LE 1M PHY, so that every scanner can receive it.
    /// Vol 4, Part E, 7.8.53.
    package static func leSetExtendedAdvertisingParameters(
        _ handle: AdvertisingHandle, _ advertising: AdvertisingParameters
    ) -> Command {
        var parameters: [UInt8] = [handle.rawValue]
        // Event properties: legacy PDU (bit 4), neither connectable nor scannable.
        parameters.append(littleEndian: 0x0010)
        for interval in [advertising.minimumInterval, advertising.maximumInterval] {
            parameters.append(littleEndian: interval)
            parameters.append(0)
        }
        parameters += [AdvertisingParameters.allChannels, advertising.ownAddressType]
        parameters += [0, 0, 0, 0, 0, 0, 0]  // no peer
        // No filter; 0x7F means that the host has no preference for the power.
        parameters += [0x00, UInt8(bitPattern: advertising.transmitPower.map { max(-127, min(20, $0)) } ?? 0x7F)]
        parameters += [0x01, 0x00, 0x01]  // 1M, no skip, 1M
        parameters += [0x00, 0x00]  // SID 0; no scan request notifications
        return Command(.leSetExtendedAdvertisingParameters, parameters)
    }

    /// A complete payload (operation 0x03) that the controller should not fragment. Vol 4, Part E, 7.8.54.
    package static func leSetExtendedAdvertisingData(_ handle: AdvertisingHandle, _ data: [UInt8]) -> Command {
        let data = data.prefix(251)
        return Command(.leSetExtendedAdvertisingData, [handle.rawValue, 0x03, 0x01, UInt8(data.count)] + data)
    }

    /// Enables or disables one set, without a limit on time or events. Vol 4, Part E, 7.8.56.
    package static func leSetExtendedAdvertisingEnable(_ isOn: Bool, _ handle: AdvertisingHandle) -> Command {
        Command(.leSetExtendedAdvertisingEnable, [isOn ? 1 : 0, 1, handle.rawValue, 0, 0, 0])
    }

    /// The address of a set whose parameters say that it is random. Vol 4, Part E, 7.8.52.
    package static func leSetAdvertisingSetRandomAddress(
        _ handle: AdvertisingHandle, _ address: DeviceAddress
    ) -> Command {
        Command(.leSetAdvertisingSetRandomAddress, [handle.rawValue] + address.littleEndianBytes)
    }

    /// Vol 4, Part E, 7.8.58.
    package static let leReadNumberOfSupportedAdvertisingSets = Command(.leReadNumberOfSupportedAdvertisingSets)

    /// Vol 4, Part E, 7.8.59.
    package static func leRemoveAdvertisingSet(_ handle: AdvertisingHandle) -> Command {
        Command(.leRemoveAdvertisingSet, [handle.rawValue])
    }
}
