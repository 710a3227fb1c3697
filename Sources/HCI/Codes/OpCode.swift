/// A command's opcode: OGF in the upper six bits, OCF in the lower ten. An open set.
/// Core Specification Vol 4, Part E, 5.4.1.
package struct OpCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    @inlinable
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(ogf: UInt8, ocf: UInt16) {
        rawValue = UInt16(ogf & 0x3F) << 10 | ocf & 0x3FF
    }

    /// Opcode group field.
    package var ogf: UInt8 { UInt8(rawValue >> 10) }
    /// Opcode command field.
    package var ocf: UInt16 { rawValue & 0x3FF }
}

extension OpCode {
    // Controller & Baseband, Vol 4, Part E, 7.3
    package static let setEventMask = OpCode(ogf: 0x03, ocf: 0x001)
    package static let reset = OpCode(ogf: 0x03, ocf: 0x003)
    package static let readScanEnable = OpCode(ogf: 0x03, ocf: 0x019)
    package static let writeScanEnable = OpCode(ogf: 0x03, ocf: 0x01A)
    package static let writeLEHostSupport = OpCode(ogf: 0x03, ocf: 0x06D)

    // Informational parameters, 7.4
    package static let readLocalVersionInformation = OpCode(ogf: 0x04, ocf: 0x001)
    package static let readLocalSupportedCommands = OpCode(ogf: 0x04, ocf: 0x002)
    package static let readLocalSupportedFeatures = OpCode(ogf: 0x04, ocf: 0x003)
    package static let readBDADDR = OpCode(ogf: 0x04, ocf: 0x009)

    // LE controller, 7.8
    package static let leSetEventMask = OpCode(ogf: 0x08, ocf: 0x001)
    package static let leReadBufferSize = OpCode(ogf: 0x08, ocf: 0x002)
    package static let leReadLocalSupportedFeatures = OpCode(ogf: 0x08, ocf: 0x003)
    package static let leSetRandomAddress = OpCode(ogf: 0x08, ocf: 0x005)
    package static let leSetAdvertisingParameters = OpCode(ogf: 0x08, ocf: 0x006)
    package static let leSetAdvertisingData = OpCode(ogf: 0x08, ocf: 0x008)
    package static let leSetScanResponseData = OpCode(ogf: 0x08, ocf: 0x009)
    package static let leSetAdvertisingEnable = OpCode(ogf: 0x08, ocf: 0x00A)
    package static let leSetScanParameters = OpCode(ogf: 0x08, ocf: 0x00B)
    package static let leSetScanEnable = OpCode(ogf: 0x08, ocf: 0x00C)
    package static let leSetAdvertisingSetRandomAddress = OpCode(ogf: 0x08, ocf: 0x035)
    package static let leSetExtendedAdvertisingParameters = OpCode(ogf: 0x08, ocf: 0x036)
    package static let leSetExtendedAdvertisingData = OpCode(ogf: 0x08, ocf: 0x037)
    package static let leSetExtendedScanResponseData = OpCode(ogf: 0x08, ocf: 0x038)
    package static let leSetExtendedAdvertisingEnable = OpCode(ogf: 0x08, ocf: 0x039)
    package static let leReadNumberOfSupportedAdvertisingSets = OpCode(ogf: 0x08, ocf: 0x03B)
    package static let leRemoveAdvertisingSet = OpCode(ogf: 0x08, ocf: 0x03C)
    package static let leClearAdvertisingSets = OpCode(ogf: 0x08, ocf: 0x03D)
    package static let leSetExtendedScanParameters = OpCode(ogf: 0x08, ocf: 0x041)
    package static let leSetExtendedScanEnable = OpCode(ogf: 0x08, ocf: 0x042)

    private static let names: [OpCode: String] = [
        .setEventMask: "Set Event Mask", .reset: "Reset", .readScanEnable: "Read Scan Enable",
        .writeScanEnable: "Write Scan Enable",
        .writeLEHostSupport: "Write LE Host Support",
        .readLocalVersionInformation: "Read Local Version Information",
        .readLocalSupportedCommands: "Read Local Supported Commands",
        .readLocalSupportedFeatures: "Read Local Supported Features", .readBDADDR: "Read BD_ADDR",
        .leSetEventMask: "LE Set Event Mask", .leReadBufferSize: "LE Read Buffer Size",
        .leReadLocalSupportedFeatures: "LE Read Local Supported Features",
        .leSetRandomAddress: "LE Set Random Address",
        .leSetAdvertisingParameters: "LE Set Advertising Parameters",
        .leSetAdvertisingData: "LE Set Advertising Data",
        .leSetScanResponseData: "LE Set Scan Response Data",
        .leSetAdvertisingEnable: "LE Set Advertising Enable",
        .leSetScanParameters: "LE Set Scan Parameters", .leSetScanEnable: "LE Set Scan Enable",
        .leSetAdvertisingSetRandomAddress: "LE Set Advertising Set Random Address",
        .leSetExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters",
        .leSetExtendedAdvertisingData: "LE Set Extended Advertising Data",
        .leSetExtendedScanResponseData: "LE Set Extended Scan Response Data",
        .leSetExtendedAdvertisingEnable: "LE Set Extended Advertising Enable",
        .leReadNumberOfSupportedAdvertisingSets: "LE Read Number of Supported Advertising Sets",
        .leRemoveAdvertisingSet: "LE Remove Advertising Set", .leClearAdvertisingSets: "LE Clear Advertising Sets",
        .leSetExtendedScanParameters: "LE Set Extended Scan Parameters",
        .leSetExtendedScanEnable: "LE Set Extended Scan Enable",
    ]
}

extension OpCode: CustomStringConvertible {
    /// The Core Specification's name and the number: `LE Set Scan Enable (0x200C)`.
    package var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let number = "0x" + String(repeating: "0", count: 4 - digits.count) + digits
        return Self.names[self].map { "\($0) (\(number))" } ?? "command \(number)"
    }
}
