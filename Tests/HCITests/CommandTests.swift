import Beacon
import HCI
import TestSupport
import Testing

@Suite("Commands")
struct CommandTests {
    static let packets: [(Command, String)] = [
        (.reset, "01 03 0C 00"),
        (.setEventMask(), "01 01 0C 08 FF FF FF FF FF 1F 00 20"),
        (.leSetEventMask(), "01 01 20 08 1F 10 00 00 00 00 00 00"),
        (.readBDADDR, "01 09 10 00"),
        (.leReadLocalSupportedFeatures, "01 03 20 00"),
        (.writeScanEnable(0), "01 1A 0C 01 00"),
        (.leSetScanParameters(ScanParameters()), "01 0B 20 07 00 60 00 60 00 00 00"),
        (.leSetScanEnable(true), "01 0C 20 02 01 00"),
        (
            .leSetExtendedScanParameters(ScanParameters(isActive: true, interval: 0x60, window: 0x30)),
            "01 41 20 08 00 00 01 01 60 00 30 00"
        ),
        (.leSetExtendedScanEnable(true), "01 42 20 06 01 00 00 00 00 00"),
        (
            .leSetAdvertisingParameters(AdvertisingParameters()),
            "01 06 20 0F A0 00 A0 00 03 00 00 00 00 00 00 00 00 07 00"
        ),
        (.leSetAdvertisingEnable(false), "01 0A 20 01 00"),
        (
            .leSetExtendedAdvertisingParameters(.first, AdvertisingParameters()),
            "01 36 20 19 00 10 00 A0 00 00 A0 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"
        ),
        (.leSetExtendedAdvertisingData(.first, [1, 2]), "01 37 20 06 00 03 01 02 01 02"),
        (.leSetExtendedAdvertisingEnable(true, .first), "01 39 20 06 01 01 00 00 00 00"),
        (.leRemoveAdvertisingSet(.first), "01 3C 20 01 00"),
    ]

    @Test("are encoded as the Core Specification says", arguments: packets)
    func encoding(_ command: Command, _ hex: String) {
        #expect(command.packet == bytes(hex))
    }

    @Test("LE Set Advertising Data always has 32 parameter octets", arguments: [0, 1, 30, 31, 40])
    func advertisingData(_ count: Int) {
        let command = Command.leSetAdvertisingData(Array(repeating: 7, count: count))
        #expect(command.parameters.count == 32)
        #expect(command.parameters[0] == UInt8(min(31, count)))
    }

    @Test("the recipe's advertising data is the well-known line, with the octet that it lacks")
    func recipe() {
        let beacon = IBeacon(
            id: BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 0, minor: 0),
            measuredPower: -56)
        let wellKnown = bytes(
            """
            01 08 20 20 1E 02 01 1A 1A FF 4C 00 02 15 63 6F 3F 8F 64 91 4B EE 95 F7 D8 CC 64 A8 63 B5 00 00 00 00 C8
            """)
        #expect(Command.leSetAdvertisingData(beacon.advertisingData()).packet == wellKnown + [0])
    }

    @Test("a window is never longer than its interval")
    func window() {
        #expect(ScanParameters(interval: 0x30, window: 0x60).window == 0x30)
    }

    @Test("opcodes and errors are told by name and number, the unknown by number")
    func names() {
        #expect(OpCode.leSetScanEnable.description == "LE Set Scan Enable (0x200C)")
        #expect(OpCode(rawValue: 0x0FFF).description == "command 0x0FFF")
        #expect(ErrorCode.commandDisallowed.description == "Command Disallowed (0x0C)")
        #expect(ErrorCode(rawValue: 0xEE).description == "error 0xEE")
    }
}

@Suite("Answers to commands")
struct CommandAnswerTests {
    @Test("Command Complete carries credit, opcode, status and the rest")
    func complete() throws {
        let complete = CommandAnswer(event: bytes("0E 0A 02 09 10 00 01 02 03 04 05 06").span.bytes)
        let answer = try #require(complete)
        #expect(answer.credit == 2)
        #expect(answer.opcode == .readBDADDR)
        #expect(answer.status == .success)
        #expect(DeviceAddress(returnParameters: answer.returnParameters)?.description == "06:05:04:03:02:01")
    }

    @Test("Command Status carries its own status")
    func status() {
        let answer = CommandAnswer(event: bytes("0F 04 0C 01 0C 20").span.bytes)
        #expect(answer?.status == .commandDisallowed)
        #expect(answer?.opcode == .leSetScanEnable)
    }

    @Test(
        "LE features tell extended advertising by bit 12",
        arguments: [(0x1000, true), (0xEFFF, false)] as [(UInt64, Bool)])
    func features(_ bits: UInt64, _ expected: Bool) {
        let parameters = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        #expect(LEFeatures(returnParameters: parameters)?.hasExtendedAdvertising == expected)
    }

    @Test(
        "truncated and foreign events are none", arguments: ["", "0E", "0E 02 01 03", "0F 03 00 01 03", "3E 02 01 00"])
    func truncated(_ hex: String) {
        let answer = CommandAnswer(event: bytes(hex).span.bytes)
        #expect(answer == nil)
    }
}
