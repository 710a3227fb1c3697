package import Beacon

extension Command {
    /// Returns the controller to its initial state. Vol 4, Part E, 7.3.2.
    package static let reset = Command(.reset)

    /// Chooses the events that the controller may send. Vol 4, Part E, 7.3.1.
    ///
    /// The default value is the specification's default with LE Meta (bit 61) added.
    package static func setEventMask(_ mask: UInt64 = 0x2000_1FFF_FFFF_FFFF) -> Command {
        Command(.setEventMask, littleEndian64(mask))
    }

    /// Vol 4, Part E, 7.3.17.
    package static let readScanEnable = Command(.readScanEnable)

    /// Page and inquiry scan of a dual-mode controller. LE-only controllers answer Unknown HCI Command.
    /// Vol 4, Part E, 7.3.18.
    package static func writeScanEnable(_ mode: UInt8) -> Command {
        Command(.writeScanEnable, [mode])
    }

    /// Vol 4, Part E, 7.4.1.
    package static let readLocalVersionInformation = Command(.readLocalVersionInformation)

    /// Reads the public address. Vol 4, Part E, 7.4.6. It changes nothing, and every controller answers it.
    package static let readBDADDR = Command(.readBDADDR)

    /// Vol 4, Part E, 7.8.3.
    package static let leReadLocalSupportedFeatures = Command(.leReadLocalSupportedFeatures)

    /// Chooses the events within LE Meta. Vol 4, Part E, 7.8.1.
    ///
    /// Bit 12 (extended report) is off after a reset. Without it an extended scan runs but reports nothing.
    package static func leSetEventMask(_ mask: UInt64 = 0x1F | 1 << 12) -> Command {
        Command(.leSetEventMask, littleEndian64(mask))
    }

    /// Vol 4, Part E, 7.8.4.
    package static func leSetRandomAddress(_ address: DeviceAddress) -> Command {
        Command(.leSetRandomAddress, address.littleEndianBytes)
    }

    private static func littleEndian64(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
