import Beacon
import Glibc
import HCI
import TestSupport
import Testing

@Suite("Commands")
struct CommandTests {
    static let packets: [(Command, String)] = [
        (.reset, "01 03 0C 00"),
        (.setEventMask(), "01 01 0C 08 FF FF FF FF FF 1F 00 20"),
        (.leSetEventMask(), "01 01 20 08 1F 10 00 00 00 00 00 00"),
        (.readLocalVersionInformation, "01 01 10 00"),
        (.readBDADDR, "01 09 10 00"),
        (.readScanEnable, "01 19 0C 00"),
        (.leReadLocalSupportedFeatures, "01 03 20 00"),
        (.writeScanEnable(0), "01 1A 0C 01 00"),
        (.leSetScanParameters(ScanParameters()), "01 0B 20 07 00 60 00 60 00 00 00"),
        (.leSetScanParameters(ScanParameters(isActive: true)), "01 0B 20 07 01 60 00 60 00 00 00"),
        (.leSetScanEnable(true), "01 0C 20 02 01 00"),
        (.leSetScanEnable(false), "01 0C 20 02 00 00"),
        (
            .leSetExtendedScanParameters(ScanParameters(isActive: true, interval: 0x60, window: 0x30)),
            "01 41 20 08 00 00 01 01 60 00 30 00"
        ),
        (
            .leSetExtendedScanParameters(ScanParameters(interval: 0x1E0, window: 0x30)),
            "01 41 20 08 00 00 01 00 E0 01 30 00"
        ),
        (.leSetExtendedScanEnable(true), "01 42 20 06 01 00 00 00 00 00"),
        (.leSetExtendedScanEnable(false), "01 42 20 06 00 00 00 00 00 00"),
        (
            .leSetAdvertisingParameters(AdvertisingParameters()),
            "01 06 20 0F A0 00 A0 00 03 00 00 00 00 00 00 00 00 07 00"
        ),
        (
            .leSetAdvertisingParameters(
                AdvertisingParameters(minimumInterval: 0x20, maximumInterval: 0x4000, ownAddressIsRandom: true)),
            "01 06 20 0F 20 00 00 40 03 01 00 00 00 00 00 00 00 07 00"
        ),
        (.leSetAdvertisingEnable(false), "01 0A 20 01 00"),
        (.leSetAdvertisingEnable(true), "01 0A 20 01 01"),
        (.leSetRandomAddress(DeviceAddress(0xC605_0403_0201)), "01 05 20 06 01 02 03 04 05 C6"),
        (
            .leSetExtendedAdvertisingParameters(.first, AdvertisingParameters()),
            "01 36 20 19 00 10 00 A0 00 00 A0 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"
        ),
        (
            .leSetExtendedAdvertisingParameters(.shared(1), AdvertisingParameters(ownAddressIsRandom: true)),
            "01 36 20 19 E1 10 00 A0 00 00 A0 00 00 07 01 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"
        ),
        (.leSetExtendedAdvertisingData(.first, [1, 2]), "01 37 20 06 00 03 01 02 01 02"),
        (.leSetExtendedAdvertisingEnable(true, .first), "01 39 20 06 01 01 00 00 00 00"),
        (.leSetExtendedAdvertisingEnable(false, .shared(1)), "01 39 20 06 00 01 E1 00 00 00"),
        (
            .leSetAdvertisingSetRandomAddress(.first, DeviceAddress(0xC605_0403_0201)),
            "01 35 20 07 00 01 02 03 04 05 C6"
        ),
        (.leReadNumberOfSupportedAdvertisingSets, "01 3B 20 00"),
        (.leRemoveAdvertisingSet(.first), "01 3C 20 01 00"),
    ]

    @Test("are encoded as the Core Specification says", arguments: packets)
    func encoding(_ command: Command, _ hex: String) {
        #expect(command.packet == bytes(hex))
    }

    @Test(
        "advertising and scan response data always have 32 parameter octets: the length, the data and zeros",
        arguments: [0, 1, 30, 31, 32, 40])
    func advertisingData(_ count: Int) {
        let data = [UInt8](repeating: 7, count: count)
        for command in [Command.leSetAdvertisingData(data), .leSetScanResponseData(data)] {
            #expect(command.parameters.count == 32)
            #expect(command.parameters[0] == UInt8(min(31, count)))
            #expect(command.parameters.dropFirst().prefix(count).allSatisfy { $0 == 7 })
            #expect(command.parameters.dropFirst(1 + count).allSatisfy { $0 == 0 })
        }
        #expect(Command.leSetAdvertisingData(data).opcode == .leSetAdvertisingData)
        #expect(Command.leSetScanResponseData(data).opcode == .leSetScanResponseData)
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
        // The guides send 31 octets of parameters.
        let short = Command.leSetAdvertisingDataWithoutLastOctet(beacon.advertisingData())
        #expect(short.parameters == Array(wellKnown.dropFirst(4)))
    }

    @Test("the data of an extended set ends at 251 octets: no more fit into one command", arguments: [250, 251, 252])
    func extendedAdvertisingData(_ count: Int) {
        let command = Command.leSetExtendedAdvertisingData(.first, Array(repeating: 7, count: count))
        #expect(command.parameters.count == 4 + min(251, count))
        #expect(command.parameters[3] == UInt8(min(251, count)))
    }

    /// Vol 4, Part E, 7.8.53: -127 to +20 dBm; 0x7F leaves it to the controller.
    @Test(
        "the power of a set stays within what the Core Specification allows",
        arguments: [(-128, 0x81), (-127, 0x81), (-126, 0x82), (19, 0x13), (20, 0x14), (21, 0x14), (nil, 0x7F)]
            as [(Int8?, UInt8)])
    func power(_ power: Int8?, _ octet: UInt8) {
        let command = Command.leSetExtendedAdvertisingParameters(.first, AdvertisingParameters(transmitPower: power))
        #expect(command.parameters[19] == octet)
    }

    @Test(
        "programs that share a controller use the sixteen highest numbers of sets",
        arguments: [(0, 0xE0), (1, 0xE1), (14, 0xEE), (15, 0xEF), (16, 0xEF), (255, 0xEF)] as [(UInt8, UInt8)])
    func sharedSets(_ number: UInt8, _ handle: UInt8) {
        #expect(AdvertisingHandle.shared(number).rawValue == handle)
    }

    @Test(
        "a window is never longer than its interval, and 60 ms by default",
        arguments: [
            (ScanParameters(), 0x60, 0x60), (ScanParameters(interval: 0x30), 0x30, 0x30),
            (ScanParameters(interval: 0x100), 0x100, 0x60), (ScanParameters(interval: 0x30, window: 0x60), 0x30, 0x30),
            (ScanParameters(interval: 0x60, window: 0x30), 0x60, 0x30),
        ] as [(ScanParameters, UInt16, UInt16)])
    func window(_ scan: ScanParameters, _ interval: UInt16, _ window: UInt16) {
        #expect(scan.interval == interval)
        #expect(scan.window == window)
    }

    /// In milliseconds: the unit of the commands is 0.625 ms.
    @Test(
        "a scan profile leaves Wi-Fi as much time as it promises",
        arguments: [(.dedicated, 60, 60), (.balanced, 60, 30), (.wifiFriendly, 300, 30)]
            as [(ScanProfile, Double, Double)])
    func profiles(_ profile: ScanProfile, _ interval: Double, _ window: Double) {
        for isActive in [false, true] {
            let scan = profile.parameters(isActive: isActive)
            #expect(Double(scan.interval) * 0.625 == interval)
            #expect(Double(scan.window) * 0.625 == window)
            #expect(scan.isActive == isActive)
        }
    }
}

@Suite("Commands as packets", .timeLimit(.minutes(10)))
struct CommandPacketTests {
    @Test("hold up to 255 octets of parameters", arguments: [0, 1, 254, 255])
    func lengths(_ count: Int) {
        let packet = Command(.leSetExtendedAdvertisingData, Array(repeating: 7, count: count)).packet
        #expect(packet.prefix(4) == [0x01, 0x37, 0x20, UInt8(count)])
        #expect(packet.dropFirst(4) == ArraySlice(Array(repeating: 7, count: count)))
    }

    @Test("cannot hold more than 255 octets of parameters", .timeLimit(.minutes(10)))
    func tooLong() async throws {
        // In another program, since the mistake ends the one that makes it.
        let longest = try await RunningProgram.run(Programs.testHelper, ["encode-command", "255"])
        #expect(longest.lines == ["259"])
        // Without seconds for a backtrace that nobody reads.
        let tooLong = try await RunningProgram.run(
            Programs.testHelper, ["encode-command", "256"], environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect([128 + SIGILL, 128 + SIGTRAP].contains(tooLong.status) && tooLong.lines == [])
    }

    @Test(
        "are read up to their length, or up to the last octet if some are missing",
        arguments: [
            ("01 03 0C 00", .reset, ""), ("01 0C 20 02 01 00", .leSetScanEnable, "01 00"),
            // The last octet belongs to another packet.
            ("01 1A 0C 01 03 FF", .writeScanEnable, "03"), ("01 03 0C 00 FF", .reset, ""),
            // Octets are missing, as in the command of the Raspberry Pi guides.
            ("01 08 20 20 01 07", .leSetAdvertisingData, "01 07"), ("01 08 20 20", .leSetAdvertisingData, ""),
        ] as [(String, OpCode, String)])
    func read(_ hex: String, _ opcode: OpCode, _ parameters: String) {
        let command = Command(packet: bytes(hex).span.bytes)
        #expect(command == Command(opcode, bytes(parameters)))
    }

    @Test(
        "are refused if the length is missing or the type is another",
        arguments: ["", "01", "01 03 0C", "04 03 0C 00", "02 03 0C 00", "00 01 0C 00"])
    func refused(_ hex: String) {
        let command = Command(packet: bytes(hex).span.bytes)
        #expect(command == nil)
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
        #expect(answer?.credit == 1)
        #expect(answer?.returnParameters == [])
    }

    @Test(
        "Command Complete may end after the opcode, the status or a parameter",
        arguments: [
            // Only the credit, for no command: what controllers send after a start (Vol 4, Part E, 7.7.14).
            ("0E 03 01 00 00", 0x0000, 0x00, ""),
            ("0E 04 01 0C 20 0C", 0x200C, 0x0C, ""),
            ("0E 05 01 19 0C 00 03", 0x0C19, 0x00, "03"),
            ("0E 06 01 19 0C 00 03 04", 0x0C19, 0x00, "03 04"),
        ] as [(String, UInt16, UInt8, String)])
    func fields(_ hex: String, _ opcode: UInt16, _ status: UInt8, _ parameters: String) {
        let answer = CommandAnswer(event: bytes(hex).span.bytes)
        #expect(answer?.credit == 1)
        #expect(answer?.opcode == OpCode(rawValue: opcode))
        #expect(answer?.status == ErrorCode(rawValue: status))
        #expect(answer?.returnParameters == bytes(parameters))
    }

    @Test("octets behind the end of the event are ignored")
    func behind() {
        let answer = CommandAnswer(event: bytes("0E 04 01 03 0C 00 AA BB").span.bytes)
        #expect(answer?.status == .success)
        #expect(answer?.returnParameters == [])
    }

    @Test(
        "are Command Complete and Command Status, and no other packet is one",
        arguments: [
            ("04 0E 04 01 03 0C 00", true), ("04 0F 04 0C 01 0C 20", true), ("04 0E", true), ("04 0F", true),
            ("04 3E 02 0A 00", false), ("04 10 01 00", false), ("04 0D 00", false), ("01 0E 04 00", false),
            ("02 0F 00 00", false), ("0E 04", false), ("04", false), ("", false),
        ])
    func kinds(_ hex: String, _ isAnswer: Bool) {
        let found = CommandAnswer.isAnswer(packet: bytes(hex).span.bytes)
        #expect(found == isAnswer)
    }

    @Test("that end before their last field are refused")
    func short() {
        #expect(LEFeatures(returnParameters: bytes("FF FF FF FF FF FF FF")) == nil)
        #expect(LEFeatures(returnParameters: bytes("FF FF FF FF FF FF FF FF"))?.bits == .max)
        #expect(DeviceAddress(returnParameters: bytes("01 02 03 04 05")) == nil)
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
