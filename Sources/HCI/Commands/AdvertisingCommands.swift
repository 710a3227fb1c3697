import Beacon

/// How a controller advertises. Core Specification Vol 4, Part E, 7.8.5 and 7.8.53.
public struct AdvertisingParameters: Hashable, Sendable {
    /// Units of 0.625 ms: 0x00A0 is 100 ms. 0x0020 (20 ms) to 0x4000 (10.24 s) are allowed.
    public var minimumInterval: UInt16
    public var maximumInterval: UInt16

    public init(minimumInterval: UInt16 = 0x00A0, maximumInterval: UInt16 = 0x00A0) {
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
    }

    /// All three advertising channels: 37, 38 and 39.
    static let allChannels: UInt8 = 0x07
}

/// The advertising set that the extended commands work on.
public struct AdvertisingHandle: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    /// 0x00 to 0xEF.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let first = AdvertisingHandle(rawValue: 0)
}

// MARK: - Legacy commands

extension Command {
    /// ADV_NONCONN_IND (type 0x03), own address public, all channels, no filter. Vol 4, Part E, 7.8.5.
    public static func leSetAdvertisingParameters(_ advertising: AdvertisingParameters) -> Command {
        var parameters: [UInt8] = []
        parameters.append(littleEndian: advertising.minimumInterval)
        parameters.append(littleEndian: advertising.maximumInterval)
        parameters += [0x03, 0x00, 0x00, 0, 0, 0, 0, 0, 0, AdvertisingParameters.allChannels, 0x00]
        return Command(.leSetAdvertisingParameters, parameters)
    }

    /// Always 32 octets: the length, then 31 octets padded with zeros. Vol 4, Part E, 7.8.7.
    ///
    /// - Parameter data: at most 31 octets; what is longer is cut.
    public static func leSetAdvertisingData(_ data: [UInt8]) -> Command {
        Command(.leSetAdvertisingData, lengthAndPadded(data))
    }

    /// As `leSetAdvertisingData`. Vol 4, Part E, 7.8.8.
    public static func leSetScanResponseData(_ data: [UInt8]) -> Command {
        Command(.leSetScanResponseData, lengthAndPadded(data))
    }

    /// Vol 4, Part E, 7.8.9.
    public static func leSetAdvertisingEnable(_ isOn: Bool) -> Command {
        Command(.leSetAdvertisingEnable, [isOn ? 1 : 0])
    }

    private static func lengthAndPadded(_ data: [UInt8]) -> [UInt8] {
        let data = data.prefix(31)
        return [UInt8(data.count)] + data + Array(repeating: 0, count: 31 - data.count)
    }
}

// MARK: - Extended commands

extension Command {
    /// A set that sends legacy ADV_NONCONN_IND PDUs on the LE 1M PHY, so that every scanner hears it.
    /// Vol 4, Part E, 7.8.53.
    public static func leSetExtendedAdvertisingParameters(
        _ handle: AdvertisingHandle, _ advertising: AdvertisingParameters
    ) -> Command {
        var parameters: [UInt8] = [handle.rawValue]
        // Event properties: legacy PDU (bit 4), neither connectable nor scannable.
        parameters.append(littleEndian: 0x0010)
        for interval in [advertising.minimumInterval, advertising.maximumInterval] {
            parameters.append(littleEndian: interval)
            parameters.append(0)
        }
        parameters += [AdvertisingParameters.allChannels, 0x00]  // channels; own address public
        parameters += [0, 0, 0, 0, 0, 0, 0]  // no peer
        parameters += [0x00, 0x7F]  // no filter; transmit power: no preference
        parameters += [0x01, 0x00, 0x01]  // 1M, no skip, 1M
        parameters += [0x00, 0x00]  // SID 0; no scan request notifications
        return Command(.leSetExtendedAdvertisingParameters, parameters)
    }

    /// A whole payload in one piece (operation 0x03), not to be fragmented. Vol 4, Part E, 7.8.54.
    public static func leSetExtendedAdvertisingData(_ handle: AdvertisingHandle, _ data: [UInt8]) -> Command {
        let data = data.prefix(251)
        return Command(.leSetExtendedAdvertisingData, [handle.rawValue, 0x03, 0x01, UInt8(data.count)] + data)
    }

    /// One set, without a limit of time or events. Vol 4, Part E, 7.8.56.
    public static func leSetExtendedAdvertisingEnable(_ isOn: Bool, _ handle: AdvertisingHandle) -> Command {
        Command(.leSetExtendedAdvertisingEnable, [isOn ? 1 : 0, 1, handle.rawValue, 0, 0, 0])
    }

    /// Vol 4, Part E, 7.8.59.
    public static func leRemoveAdvertisingSet(_ handle: AdvertisingHandle) -> Command {
        Command(.leRemoveAdvertisingSet, [handle.rawValue])
    }
}
