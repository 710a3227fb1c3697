import HCI

/// Commands that a host sends to a dual-mode controller at start-up, before those for LE. Linux does not bring an
/// adapter up unless they are answered. This air has no BR/EDR, so settings are stored and have no effect. Core
/// Specification Vol 4, Part E, 7.3 and 7.4.
extension SupportedCommand {
    static let classic: [SupportedCommand] =
        ClassicSetting.all.flatMap { [$0.read, $0.write] } + [
            SupportedCommand(.setEventFilter, octet: 6, bit: 0, length: .atLeast(1), need: .dualMode) {
                controller, parameters, _ throws(Refusal) in
                // The filter types: clear all, inquiry result, connection setup.
                try require(parameters.octet() <= 2, else: .invalidParameters)
                return []
            },
            SupportedCommand(.readNumberOfSupportedIAC, octet: 11, bit: 2, need: .dualMode) { _, _, _ in [1] },
            SupportedCommand(.readCurrentIACLAP, octet: 11, bit: 3, need: .dualMode) { _, _, _ in
                // One: the general inquiry access code.
                [1, 0x33, 0x8B, 0x9E]
            },
            SupportedCommand(.readBufferSize, octet: 14, bit: 7, need: .dualMode) { _, _, _ in
                // Eight ACL packets of 1021 octets, one synchronous packet of 64 octets.
                [0xFD, 0x03, 0x40, 0x08, 0x00, 0x01, 0x00]
            },
        ]
}

/// A BR/EDR setting with a command to read it and one to write it. Both have the same parameters.
struct ClassicSetting: Sendable {
    let reading: OpCode
    /// Octet and bit in Read Local Supported Commands. The write command has the next bit and the next opcode.
    let octet: Int
    let bit: Int
    /// The value after a reset.
    let initial: [UInt8]
    /// The greatest allowed value of the first octet.
    var greatest: UInt8 = 0xFF
    /// The write command has the previous opcode and bit instead of the next.
    var isWrittenFirst = false

    private var writing: OpCode { OpCode(rawValue: isWrittenFirst ? reading.rawValue - 1 : reading.rawValue + 1) }

    static let all = [
        ClassicSetting(
            reading: .readLocalName, octet: 7, bit: 1, initial: [UInt8](repeating: 0, count: 248),
            isWrittenFirst: true),
        // 5.06 s.
        ClassicSetting(reading: .readConnectionAcceptTimeout, octet: 7, bit: 2, initial: [0xA0, 0x1F]),
        // 5.12 s.
        ClassicSetting(reading: .readPageTimeout, octet: 7, bit: 4, initial: [0x00, 0x20]),
        // Neither inquiry scan nor page scan; both at most.
        ClassicSetting(reading: .readScanEnable, octet: 7, bit: 6, initial: [0], greatest: 3),
        // Every 1.28 s for 11.25 ms.
        ClassicSetting(reading: .readPageScanActivity, octet: 8, bit: 0, initial: [0x00, 0x08, 0x12, 0x00]),
        ClassicSetting(reading: .readClassOfDevice, octet: 9, bit: 0, initial: [0, 0, 0]),
        ClassicSetting(reading: .readVoiceSetting, octet: 9, bit: 2, initial: [0, 0]),
        ClassicSetting(reading: .readPageScanType, octet: 13, bit: 0, initial: [0]),
    ]

    var read: SupportedCommand {
        SupportedCommand(reading, octet: octet, bit: bit, need: .dualMode) { controller, _, _ in
            controller.state.classicSettings[reading] ?? initial
        }
    }

    var write: SupportedCommand {
        SupportedCommand(
            writing, octet: octet, bit: isWrittenFirst ? bit - 1 : bit + 1, length: .exactly(initial.count),
            need: .dualMode
        ) { controller, parameters, _ throws(Refusal) in
            let octets = parameters.octets(initial.count)
            try require(octets.first.map { $0 <= greatest } ?? true, else: .invalidParameters)
            controller.state.classicSettings[reading] = octets
            return []
        }
    }
}

extension OpCode {
    static let setEventFilter = OpCode(ogf: 0x03, ocf: 0x005)
    static let readLocalName = OpCode(ogf: 0x03, ocf: 0x014)
    static let readConnectionAcceptTimeout = OpCode(ogf: 0x03, ocf: 0x015)
    static let readPageTimeout = OpCode(ogf: 0x03, ocf: 0x017)
    static let readPageScanActivity = OpCode(ogf: 0x03, ocf: 0x01B)
    static let readClassOfDevice = OpCode(ogf: 0x03, ocf: 0x023)
    static let readVoiceSetting = OpCode(ogf: 0x03, ocf: 0x025)
    static let readNumberOfSupportedIAC = OpCode(ogf: 0x03, ocf: 0x038)
    static let readCurrentIACLAP = OpCode(ogf: 0x03, ocf: 0x039)
    static let readPageScanType = OpCode(ogf: 0x03, ocf: 0x046)
    static let readBufferSize = OpCode(ogf: 0x04, ocf: 0x005)
}
