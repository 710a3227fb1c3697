import Beacon
import HCI

/// Control and information commands, and those common to all of LE. Core Specification Vol 4, Part E, 7.3, 7.4 and
/// 7.8.1 to 7.8.4.
extension SupportedCommand {
    static let general: [SupportedCommand] = [
        SupportedCommand(.reset, octet: 5, bit: 7) { controller, _, _ in
            controller.reset()
            return []
        },
        SupportedCommand(.setEventMask, octet: 5, bit: 6, length: .exactly(8)) { controller, parameters, _ in
            controller.state.eventMask = parameters.uint64()
            return []
        },
        SupportedCommand(.writeLEHostSupport, octet: 24, bit: 6, length: .exactly(2), need: .dualMode) {
            _, parameters, _ throws(Refusal) in
            try require(parameters.octet() <= 1, else: .invalidParameters)
            return []
        },
        SupportedCommand(.readLocalVersionInformation, octet: 14, bit: 3) { controller, _, _ in
            let profile = controller.profile
            var answer: [UInt8] = [profile.hciVersion]
            answer.append(littleEndian: 0)
            answer.append(profile.hciVersion)
            answer.append(littleEndian: profile.manufacturer)
            answer.append(littleEndian: 0)
            return answer
        },
        SupportedCommand(.readLocalSupportedCommands, octet: 14, bit: 4) { controller, _, _ in
            var bits = [UInt8](repeating: 0, count: 64)
            for command in all.values where command.isSupported(by: controller.profile) {
                bits[command.octet] |= 1 << UInt8(command.bit)
            }
            return bits
        },
        SupportedCommand(.readLocalSupportedFeatures, octet: 14, bit: 5) { controller, _, _ in
            controller.profile.features.littleEndianOctets
        },
        SupportedCommand(.readBDADDR, octet: 15, bit: 1) { controller, _, _ in
            controller.address.littleEndianBytes
        },
        SupportedCommand(.leSetEventMask, octet: 25, bit: 0, length: .exactly(8)) { controller, parameters, _ in
            controller.state.leEventMask = parameters.uint64()
            return []
        },
        SupportedCommand(.leReadBufferSize, octet: 25, bit: 1) { _, _, _ in
            // Eight packets of 27 octets.
            [27, 0, 8]
        },
        SupportedCommand(.leReadLocalSupportedFeatures, octet: 25, bit: 2) { controller, _, _ in
            controller.profile.leFeatures.littleEndianOctets
        },
        SupportedCommand(.leReadSupportedStates, octet: 28, bit: 3) { _, _, _ in
            // Undirected advertising (0 to 2), scanning (4, 5), and each combination of both (8 to 10, 12 to 14).
            UInt64(0x7737).littleEndianOctets
        },
        SupportedCommand(.leSetRandomAddress, octet: 25, bit: 4, length: .exactly(6)) {
            controller, parameters, _ throws(Refusal) in
            // Extended advertising has its own addresses, so it is not checked here.
            try require(
                controller.state.scan == nil && !controller.state.legacyAdvertising.isEnabled,
                else: .commandDisallowed)
            controller.state.randomAddress = parameters.address()
            return []
        },
    ]
}

extension OpCode {
    static let leReadSupportedStates = OpCode(ogf: 0x08, ocf: 0x01C)
}

extension UInt64 {
    fileprivate var littleEndianOctets: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * $0)) }
    }
}
