/// A command's opcode: OGF in the upper six bits, OCF in the lower ten. An open set.
/// Core Specification Vol 4, Part E, 5.4.1.
public struct OpCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public init(ogf: UInt8, ocf: UInt16) {
        rawValue = UInt16(ogf & 0x3F) << 10 | ocf & 0x3FF
    }

    /// Opcode group field.
    public var ogf: UInt8 { UInt8(rawValue >> 10) }
    /// Opcode command field.
    public var ocf: UInt16 { rawValue & 0x3FF }
}

extension OpCode {
    // Controller & Baseband, Vol 4, Part E, 7.3
    public static let setEventMask = OpCode(ogf: 0x03, ocf: 0x001)
    public static let reset = OpCode(ogf: 0x03, ocf: 0x003)
    public static let readScanEnable = OpCode(ogf: 0x03, ocf: 0x019)
    public static let writeScanEnable = OpCode(ogf: 0x03, ocf: 0x01A)
    public static let writeLEHostSupport = OpCode(ogf: 0x03, ocf: 0x06D)

    // Informational parameters, 7.4
    public static let readLocalVersionInformation = OpCode(ogf: 0x04, ocf: 0x001)
    public static let readLocalSupportedCommands = OpCode(ogf: 0x04, ocf: 0x002)
    public static let readLocalSupportedFeatures = OpCode(ogf: 0x04, ocf: 0x003)
    public static let readBDADDR = OpCode(ogf: 0x04, ocf: 0x009)

    // LE controller, 7.8
    public static let leSetEventMask = OpCode(ogf: 0x08, ocf: 0x001)
    public static let leReadBufferSize = OpCode(ogf: 0x08, ocf: 0x002)
    public static let leReadLocalSupportedFeatures = OpCode(ogf: 0x08, ocf: 0x003)
    public static let leSetRandomAddress = OpCode(ogf: 0x08, ocf: 0x005)
    public static let leSetAdvertisingParameters = OpCode(ogf: 0x08, ocf: 0x006)
    public static let leSetAdvertisingData = OpCode(ogf: 0x08, ocf: 0x008)
    public static let leSetScanResponseData = OpCode(ogf: 0x08, ocf: 0x009)
    public static let leSetAdvertisingEnable = OpCode(ogf: 0x08, ocf: 0x00A)
    public static let leSetScanParameters = OpCode(ogf: 0x08, ocf: 0x00B)
    public static let leSetScanEnable = OpCode(ogf: 0x08, ocf: 0x00C)
    public static let leSetAdvertisingSetRandomAddress = OpCode(ogf: 0x08, ocf: 0x035)
    public static let leSetExtendedAdvertisingParameters = OpCode(ogf: 0x08, ocf: 0x036)
    public static let leSetExtendedAdvertisingData = OpCode(ogf: 0x08, ocf: 0x037)
    public static let leSetExtendedScanResponseData = OpCode(ogf: 0x08, ocf: 0x038)
    public static let leSetExtendedAdvertisingEnable = OpCode(ogf: 0x08, ocf: 0x039)
    public static let leReadNumberOfSupportedAdvertisingSets = OpCode(ogf: 0x08, ocf: 0x03B)
    public static let leRemoveAdvertisingSet = OpCode(ogf: 0x08, ocf: 0x03C)
    public static let leClearAdvertisingSets = OpCode(ogf: 0x08, ocf: 0x03D)
    public static let leSetExtendedScanParameters = OpCode(ogf: 0x08, ocf: 0x041)
    public static let leSetExtendedScanEnable = OpCode(ogf: 0x08, ocf: 0x042)

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
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let number = "0x" + String(repeating: "0", count: 4 - digits.count) + digits
        return Self.names[self].map { "\($0) (\(number))" } ?? "command \(number)"
    }
}
