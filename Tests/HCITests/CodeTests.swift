import HCI
import Testing

@Suite("Codes of the Core Specification")
struct CodeTests {
    /// Vol 4, Part E, 7.3, 7.4 and 7.8.
    @Test(
        "an opcode is shown with the name and the number of the Core Specification",
        arguments: [
            (.setEventMask, "Set Event Mask (0x0C01)"), (.reset, "Reset (0x0C03)"),
            (.readScanEnable, "Read Scan Enable (0x0C19)"), (.writeScanEnable, "Write Scan Enable (0x0C1A)"),
            (.writeLEHostSupport, "Write LE Host Support (0x0C6D)"),
            (.readLocalVersionInformation, "Read Local Version Information (0x1001)"),
            (.readLocalSupportedCommands, "Read Local Supported Commands (0x1002)"),
            (.readLocalSupportedFeatures, "Read Local Supported Features (0x1003)"),
            (.readBDADDR, "Read BD_ADDR (0x1009)"),
            (.leSetEventMask, "LE Set Event Mask (0x2001)"), (.leReadBufferSize, "LE Read Buffer Size (0x2002)"),
            (.leReadLocalSupportedFeatures, "LE Read Local Supported Features (0x2003)"),
            (.leSetRandomAddress, "LE Set Random Address (0x2005)"),
            (.leSetAdvertisingParameters, "LE Set Advertising Parameters (0x2006)"),
            (.leSetAdvertisingData, "LE Set Advertising Data (0x2008)"),
            (.leSetScanResponseData, "LE Set Scan Response Data (0x2009)"),
            (.leSetAdvertisingEnable, "LE Set Advertising Enable (0x200A)"),
            (.leSetScanParameters, "LE Set Scan Parameters (0x200B)"),
            (.leSetScanEnable, "LE Set Scan Enable (0x200C)"),
            (.leSetAdvertisingSetRandomAddress, "LE Set Advertising Set Random Address (0x2035)"),
            (.leSetExtendedAdvertisingParameters, "LE Set Extended Advertising Parameters (0x2036)"),
            (.leSetExtendedAdvertisingData, "LE Set Extended Advertising Data (0x2037)"),
            (.leSetExtendedScanResponseData, "LE Set Extended Scan Response Data (0x2038)"),
            (.leSetExtendedAdvertisingEnable, "LE Set Extended Advertising Enable (0x2039)"),
            (.leReadNumberOfSupportedAdvertisingSets, "LE Read Number of Supported Advertising Sets (0x203B)"),
            (.leRemoveAdvertisingSet, "LE Remove Advertising Set (0x203C)"),
            (.leClearAdvertisingSets, "LE Clear Advertising Sets (0x203D)"),
            (.leSetExtendedScanParameters, "LE Set Extended Scan Parameters (0x2041)"),
            (.leSetExtendedScanEnable, "LE Set Extended Scan Enable (0x2042)"),
        ] as [(OpCode, String)])
    func opcodes(_ opcode: OpCode, _ text: String) {
        #expect(opcode.description == text)
    }

    @Test(
        "an opcode is the group in six bits and the command in ten",
        arguments: [
            (0x0C03, 0x03, 0x003), (0x200C, 0x08, 0x00C), (0x0000, 0x00, 0x000), (0x03FF, 0x00, 0x3FF),
            (0x0400, 0x01, 0x000), (0xFC01, 0x3F, 0x001), (0xFFFF, 0x3F, 0x3FF),
        ] as [(UInt16, UInt8, UInt16)])
    func parts(_ number: UInt16, _ group: UInt8, _ command: UInt16) {
        #expect(OpCode(ogf: group, ocf: command).rawValue == number)
        #expect(OpCode(rawValue: number).ogf == group)
        #expect(OpCode(rawValue: number).ocf == command)
    }

    @Test("neither part of an opcode spills into the other")
    func width() {
        #expect(OpCode(ogf: 0x40, ocf: 0x400).rawValue == 0)
        #expect(OpCode(ogf: 0xFF, ocf: 0xFFFF).rawValue == 0xFFFF)
    }

    /// Vol 1, Part F, 2.
    @Test(
        "an error is shown with the name and the number of the Core Specification",
        arguments: [
            (.success, "Success (0x00)"), (.unknownCommand, "Unknown HCI Command (0x01)"),
            (.unknownConnectionIdentifier, "Unknown Connection Identifier (0x02)"),
            (.hardwareFailure, "Hardware Failure (0x03)"), (.memoryCapacityExceeded, "Memory Capacity Exceeded (0x07)"),
            (.connectionAlreadyExists, "Connection Already Exists (0x0B)"),
            (.commandDisallowed, "Command Disallowed (0x0C)"),
            (.unsupportedFeatureOrParameter, "Unsupported Feature or Parameter Value (0x11)"),
            (.invalidParameters, "Invalid HCI Command Parameters (0x12)"),
            (.unspecifiedError, "Unspecified Error (0x1F)"),
            (.unknownAdvertisingIdentifier, "Unknown Advertising Identifier (0x42)"),
            (.limitReached, "Limit Reached (0x43)"), (.packetTooLong, "Packet Too Long (0x45)"),
        ] as [(ErrorCode, String)])
    func errors(_ error: ErrorCode, _ text: String) {
        #expect(error.description == text)
    }

    @Test("a code without a name is shown by its number, with all digits")
    func unknown() {
        #expect(OpCode(rawValue: 0x0FFF).description == "command 0x0FFF")
        #expect(OpCode(rawValue: 0xFC1C).description == "command 0xFC1C")
        #expect(OpCode(rawValue: 0).description == "command 0x0000")
        #expect(ErrorCode(rawValue: 0x0F).description == "error 0x0F")
        #expect(ErrorCode(rawValue: 0xEE).description == "error 0xEE")
    }

    /// Vol 4, Part A, 2.
    @Test(
        "the first octet of a packet says what it is",
        arguments: [
            (.command, 0x01), (.aclData, 0x02), (.synchronousData, 0x03), (.event, 0x04), (.isoData, 0x05),
        ] as [(PacketType, UInt8)])
    func packetTypes(_ type: PacketType, _ octet: UInt8) {
        #expect(type.rawValue == octet)
    }

    /// Vol 4, Part E, 7.7.14, 7.7.15 and 7.7.65.
    @Test("events and those within LE Meta have the codes of the Core Specification")
    func events() {
        #expect(EventCode.commandComplete.rawValue == 0x0E)
        #expect(EventCode.commandStatus.rawValue == 0x0F)
        #expect(EventCode.leMeta.rawValue == 0x3E)
        #expect(LESubevent.advertisingReport.rawValue == 0x02)
        #expect(LESubevent.extendedAdvertisingReport.rawValue == 0x0D)
    }
}
