import Beacon
import HCI
import RadioEmulation
import Testing

/// A command in a state, and the status that the Core Specification wants.
struct Rule: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var profile: ControllerProfile
    var before: [Command]
    var command: Command
    var status: ErrorCode

    init(
        _ description: String, on profile: ControllerProfile = .bluetooth5, after before: [Command] = [],
        _ opcode: OpCode, _ parameters: String, _ status: ErrorCode
    ) {
        testDescription = description
        self.profile = profile
        self.before = before
        command = Command(opcode, hex(parameters))
        self.status = status
    }
}

@Suite struct StrictnessTests {
    static let advertising: [Command] = [.leSetAdvertisingEnable(true)]
    static let scanning: [Command] = [.leSetScanEnable(true)]
    static let extendedScanning: [Command] = [.leSetExtendedScanEnable(true)]
    static let set: [Command] = [.leSetExtendedAdvertisingParameters(.first, AdvertisingParameters())]
    static let enabledSet = set + [.leSetExtendedAdvertisingEnable(true, .first)]
    /// Not connectable, not scannable, extended PDUs.
    static let extendedSet = [
        Command(
            .leSetExtendedAdvertisingParameters,
            hex("00 0000 A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00"))
    ]

    static let general: [Rule] = [
        Rule("unknown opcode", OpCode(ogf: 0x3F, ocf: 0x3FF), "00", .unknownCommand),
        Rule("reset with parameters", .reset, "00", .invalidParameters),
        Rule("short event mask", .setEventMask, "00", .invalidParameters),
        Rule("scan enable, dual mode", .writeScanEnable, "00", .success),
        Rule("scan enable, out of range", .writeScanEnable, "04", .invalidParameters),
        Rule("scan enable, LE only", on: .extendedOnly, .writeScanEnable, "00", .unknownCommand),
        Rule("LE host support, dual mode", on: .raspberryPi3, .writeLEHostSupport, "01 00", .success),
        Rule("LE host support, LE only", on: .extendedOnly, .writeLEHostSupport, "01 00", .unknownCommand),
        Rule("random address", .leSetRandomAddress, "010203040506", .success),
        Rule("random address while advertising", after: advertising, .leSetRandomAddress, "010203040506",
             .commandDisallowed),
        Rule("random address while scanning", after: scanning, .leSetRandomAddress, "010203040506",
             .commandDisallowed),
        Rule("random address while a set advertises", after: enabledSet, .leSetRandomAddress, "010203040506",
             .success),
        Rule("LE buffer size", .leReadBufferSize, "", .success),
        Rule("LE event mask", .leSetEventMask, "1F00000000000000", .success),
    ]

    static let legacyAdvertising: [Rule] = [
        Rule("parameters", .leSetAdvertisingParameters, "A000 A000 03 00 00 000000000000 07 00", .success),
        Rule("parameters while on", after: advertising, .leSetAdvertisingParameters,
             "A000 A000 03 00 00 000000000000 07 00", .commandDisallowed),
        Rule("parameters one octet short", .leSetAdvertisingParameters, "A000 A000 03 00 00 000000000000 07",
             .invalidParameters),
        Rule("minimum above maximum", .leSetAdvertisingParameters, "A100 A000 03 00 00 000000000000 07 00",
             .invalidParameters),
        Rule("interval too short", .leSetAdvertisingParameters, "1F00 A000 03 00 00 000000000000 07 00",
             .unsupportedFeatureOrParameter),
        Rule("interval too long", .leSetAdvertisingParameters, "A000 0140 03 00 00 000000000000 07 00",
             .unsupportedFeatureOrParameter),
        Rule("20 ms on Bluetooth 5", .leSetAdvertisingParameters, "2000 2000 03 00 00 000000000000 07 00", .success),
        Rule("20 ms on 4.2", on: .raspberryPi3, .leSetAdvertisingParameters, "2000 2000 03 00 00 000000000000 07 00",
             .unsupportedFeatureOrParameter),
        Rule("20 ms on 4.2, connectable", on: .raspberryPi3, .leSetAdvertisingParameters,
             "2000 2000 00 00 00 000000000000 07 00", .success),
        Rule("no channel", .leSetAdvertisingParameters, "A000 A000 03 00 00 000000000000 00 00", .invalidParameters),
        Rule("unknown type", .leSetAdvertisingParameters, "A000 A000 05 00 00 000000000000 07 00",
             .invalidParameters),
        Rule("directed", .leSetAdvertisingParameters, "A000 A000 01 00 00 000000000000 07 00",
             .unsupportedFeatureOrParameter),
        Rule("unknown address type", .leSetAdvertisingParameters, "A000 A000 03 04 00 000000000000 07 00",
             .invalidParameters),
        Rule("unknown filter", .leSetAdvertisingParameters, "A000 A000 03 00 00 000000000000 07 04",
             .invalidParameters),
        Rule("32 octets of data", .leSetAdvertisingData, "1F" + String(repeating: "00", count: 31), .success),
        Rule("31 octets of data", .leSetAdvertisingData, "1E" + String(repeating: "00", count: 30),
             .invalidParameters),
        Rule("33 octets of data", .leSetAdvertisingData, "1F" + String(repeating: "00", count: 32),
             .invalidParameters),
        Rule("data length above 31", .leSetAdvertisingData, "20" + String(repeating: "00", count: 31),
             .invalidParameters),
        Rule("data while on", after: advertising, .leSetAdvertisingData, "00" + String(repeating: "00", count: 31),
             .success),
        Rule("scan response length above 31", .leSetScanResponseData, "20" + String(repeating: "00", count: 31),
             .invalidParameters),
        Rule("enable twice", after: advertising, .leSetAdvertisingEnable, "01", .success),
        Rule("enable with 2", .leSetAdvertisingEnable, "02", .invalidParameters),
        Rule("random address missing", after: [
            Command(.leSetAdvertisingParameters, hex("A000 A000 03 01 00 000000000000 07 00"))
        ], .leSetAdvertisingEnable, "01", .invalidParameters),
        Rule("legacy on extended only", on: .extendedOnly, .leSetAdvertisingEnable, "00", .unknownCommand),
    ]

    static let scan: [Rule] = [
        Rule("parameters", .leSetScanParameters, "00 6000 3000 00 00", .success),
        Rule("parameters while on", after: scanning, .leSetScanParameters, "00 6000 3000 00 00", .commandDisallowed),
        Rule("window above interval", .leSetScanParameters, "00 3000 6000 00 00", .invalidParameters),
        Rule("interval too short", .leSetScanParameters, "00 0300 0300 00 00", .unsupportedFeatureOrParameter),
        Rule("interval too long", .leSetScanParameters, "00 0140 0400 00 00", .unsupportedFeatureOrParameter),
        Rule("unknown type", .leSetScanParameters, "02 6000 3000 00 00", .invalidParameters),
        Rule("short", .leSetScanParameters, "00 6000 3000 00", .invalidParameters),
        Rule("enable with 2", .leSetScanEnable, "02 00", .invalidParameters),
        Rule("filter with 2", .leSetScanEnable, "01 02", .invalidParameters),
        Rule("disable when off", .leSetScanEnable, "00 00", .success),
        Rule("random address missing", after: [Command(.leSetScanParameters, hex("00 6000 3000 01 00"))],
             .leSetScanEnable, "01 00", .invalidParameters),
        Rule("legacy scan on extended only", on: .extendedOnly, .leSetScanEnable, "01 00", .unknownCommand),
        Rule("extended parameters", .leSetExtendedScanParameters, "00 00 01 00 6000 3000", .success),
        Rule("extended parameters while on", after: extendedScanning, .leSetExtendedScanParameters,
             "00 00 01 00 6000 3000", .commandDisallowed),
        Rule("no PHY", .leSetExtendedScanParameters, "00 00 00", .invalidParameters),
        Rule("coded PHY", .leSetExtendedScanParameters, "00 00 04 00 6000 3000", .unsupportedFeatureOrParameter),
        Rule("parameters for one PHY of two", .leSetExtendedScanParameters, "00 00 05 00 6000 3000",
             .invalidParameters),
        Rule("extended window above interval", .leSetExtendedScanParameters, "00 00 01 00 3000 6000",
             .invalidParameters),
        Rule("extended enable", .leSetExtendedScanEnable, "01 00 0000 0000", .success),
        Rule("duration not below period", .leSetExtendedScanEnable, "01 00 8000 0100", .invalidParameters),
        Rule("filter by period without period", .leSetExtendedScanEnable, "01 02 0000 0000", .invalidParameters),
        Rule("extended on a Pi 3", on: .raspberryPi3, .leSetExtendedScanEnable, "01 00 0000 0000", .unknownCommand),
    ]

    static let sets: [Rule] = [
        Rule("unknown set: data", .leSetExtendedAdvertisingData, "00 03 01 00", .unknownAdvertisingIdentifier),
        Rule("unknown set: enable", .leSetExtendedAdvertisingEnable, "01 01 00 0000 00",
             .unknownAdvertisingIdentifier),
        Rule("unknown set: address", .leSetAdvertisingSetRandomAddress, "00 010203040506",
             .unknownAdvertisingIdentifier),
        Rule("unknown set: remove", .leRemoveAdvertisingSet, "00", .unknownAdvertisingIdentifier),
        Rule("handle out of range", .leRemoveAdvertisingSet, "F0", .invalidParameters),
        Rule("parameters while on", after: enabledSet, .leSetExtendedAdvertisingParameters,
             "00 1000 A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00", .commandDisallowed),
        Rule("remove while on", after: enabledSet, .leRemoveAdvertisingSet, "00", .commandDisallowed),
        Rule("clear while on", after: enabledSet, .leClearAdvertisingSets, "", .commandDisallowed),
        Rule("remove", after: set, .leRemoveAdvertisingSet, "00", .success),
        Rule("clear", after: set, .leClearAdvertisingSets, "", .success),
        Rule("minimum above maximum", .leSetExtendedAdvertisingParameters,
             "00 1000 A10000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00", .invalidParameters),
        Rule("interval too short", .leSetExtendedAdvertisingParameters,
             "00 1000 1F0000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00", .unsupportedFeatureOrParameter),
        Rule("no channel", .leSetExtendedAdvertisingParameters,
             "00 1000 A00000 A00000 00 00 00 000000000000 00 7F 01 00 01 00 00", .invalidParameters),
        Rule("connectable and scannable", .leSetExtendedAdvertisingParameters,
             "00 0300 A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00", .invalidParameters),
        Rule("legacy PDU that does not exist", .leSetExtendedAdvertisingParameters,
             "00 1100 A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00", .invalidParameters),
        Rule("SID out of range", .leSetExtendedAdvertisingParameters,
             "00 1000 A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 10 00", .invalidParameters),
        Rule("coded PHY", .leSetExtendedAdvertisingParameters,
             "00 0000 A00000 A00000 07 00 00 000000000000 00 7F 03 00 03 00 00", .unsupportedFeatureOrParameter),
        Rule("power out of range", .leSetExtendedAdvertisingParameters,
             "00 1000 A00000 A00000 07 00 00 000000000000 00 15 01 00 01 00 00", .invalidParameters),
        Rule("legacy data in pieces", after: set, .leSetExtendedAdvertisingData, "00 01 01 01 00", .invalidParameters),
        Rule("legacy data above 31", after: set, .leSetExtendedAdvertisingData,
             "00 03 01 20" + String(repeating: "00", count: 32), .invalidParameters),
        Rule("data shorter than its length", after: set, .leSetExtendedAdvertisingData, "00 03 01 05 0102",
             .invalidParameters),
        Rule("scan response of what is not scannable", after: set, .leSetExtendedScanResponseData, "00 03 01 01 00",
             .invalidParameters),
        Rule("empty first piece", after: extendedSet, .leSetExtendedAdvertisingData, "00 01 01 00",
             .invalidParameters),
        Rule("unchanged, but off", after: extendedSet, .leSetExtendedAdvertisingData, "00 04 01 00",
             .invalidParameters),
        Rule("enable with half of the data",
             after: extendedSet + [Command(.leSetExtendedAdvertisingData, hex("00 01 01 01 00"))],
             .leSetExtendedAdvertisingEnable, "01 01 00 0000 00", .commandDisallowed),
        Rule("piece while on",
             after: extendedSet + [.leSetExtendedAdvertisingEnable(true, .first)],
             .leSetExtendedAdvertisingData, "00 01 01 01 00", .commandDisallowed),
        Rule("enable nothing", .leSetExtendedAdvertisingEnable, "01 00", .invalidParameters),
        Rule("disable all", .leSetExtendedAdvertisingEnable, "00 00", .success),
        Rule("one set twice", after: set, .leSetExtendedAdvertisingEnable, "01 02 00 0000 00 00 0000 00",
             .invalidParameters),
        Rule("enable shorter than its count", after: set, .leSetExtendedAdvertisingEnable, "01 02 00 0000 00",
             .invalidParameters),
        Rule("random address missing", after: [
            Command(
                .leSetExtendedAdvertisingParameters,
                hex("00 1000 A00000 A00000 07 01 00 000000000000 00 7F 01 00 01 00 00"))
        ], .leSetExtendedAdvertisingEnable, "01 01 00 0000 00", .invalidParameters),
        Rule("extended on a Pi 3", on: .raspberryPi3, .leSetExtendedAdvertisingEnable, "00 00", .unknownCommand),
    ]

    static let families: [Rule] = [
        Rule("legacy after extended", after: extendedScanning, .leSetAdvertisingEnable, "00", .commandDisallowed),
        Rule("extended after legacy", after: advertising, .leSetExtendedScanEnable, "00 00 0000 0000",
             .commandDisallowed),
        Rule("legacy after extended and reset", after: extendedScanning + [.reset], .leSetAdvertisingEnable, "01",
             .success),
        Rule("reading limits does not choose", after: [
            Command(OpCode(ogf: 8, ocf: 0x03B)), Command(OpCode(ogf: 8, ocf: 0x03A)),
        ], .leSetAdvertisingEnable, "01", .success),
        Rule("a refused command chooses too",
             after: [Command(.leSetExtendedScanParameters, hex("00 00 01 00 3000 6000"))],
             .leSetScanEnable, "01 00", .commandDisallowed),
    ]

    @Test("answers as the specification says", arguments: general + legacyAdvertising + scan + sets + families)
    func answersAsTheSpecificationSays(_ rule: Rule) throws {
        var controller = VirtualController(profile: rule.profile, address: DeviceAddress(1))
        for command in rule.before {
            _ = controller.execute(command.packet, at: .zero)
        }
        let events = controller.execute(rule.command.packet, at: .zero)
        let answer = try #require(events.first.flatMap(answer))
        #expect(events.count == 1)
        #expect(answer.opcode == rule.command.opcode)
        #expect(answer.credit == 1)
        #expect(answer.status == rule.status)
    }

    @Test("packets that are no commands have no answer")
    func packetsThatAreNoCommandsHaveNoAnswer() {
        var controller = VirtualController(address: DeviceAddress(1))
        for packet in [[], [1], [1, 3], [1, 3, 0x0C], [2, 0, 0, 1, 0, 0], [4, 0x0E, 1, 0], [9, 9, 9, 9]] as [[UInt8]] {
            #expect(controller.execute(packet, at: .zero).isEmpty)
        }
        // The announced length is not what came.
        let events = controller.execute([1, 0x03, 0x0C, 5], at: .zero)
        #expect(events.first.flatMap(answer)?.status == .invalidParameters)
    }

    @Test("after the last set the memory is full")
    func afterTheLastSetMemoryIsFull() {
        var controller = VirtualController(address: DeviceAddress(1))
        for handle in 0..<8 as Range<UInt8> {
            let command = Command.leSetExtendedAdvertisingParameters(
                AdvertisingHandle(rawValue: handle), AdvertisingParameters())
            #expect(controller.status(command) == .success)
        }
        let ninth = Command.leSetExtendedAdvertisingParameters(
            AdvertisingHandle(rawValue: 8), AdvertisingParameters())
        #expect(controller.status(ninth) == .memoryCapacityExceeded)
    }

    @Test("an error within a list of sets changes nothing")
    func anErrorWithinAListOfSetsChangesNothing() {
        var controller = VirtualController(address: DeviceAddress(1))
        _ = controller.execute(Self.set[0].packet, at: .zero)
        let both = Command(.leSetExtendedAdvertisingEnable, hex("01 02 00 0000 00 07 0000 00"))
        #expect(controller.status(both) == .unknownAdvertisingIdentifier)
        #expect(controller.advertisements.isEmpty)
    }
}
