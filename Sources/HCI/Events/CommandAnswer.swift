import Beacon

/// A controller's answer to a command: Command Complete or Command Status.
/// Core Specification Vol 4, Part E, 7.7.14 and 7.7.15.
package struct CommandAnswer: Hashable, Sendable {
    /// The command that it answers; 0 if the event only updates the credit.
    package var opcode: OpCode
    /// How many more commands the controller accepts now (Num_HCI_Command_Packets).
    package var credit: UInt8
    /// In Command Complete the first return parameter, which is the status in every command used here. In Command
    /// Status the status field.
    package var status: ErrorCode
    /// The octets after the status in Command Complete; empty for Command Status.
    package var returnParameters: [UInt8]

    /// Whether a packet, type octet first, is an answer to a command.
    package static func isAnswer(packet: RawSpan) -> Bool {
        guard packet.byteCount > 1, packet.octet(at: 0) == PacketType.event.rawValue else { return false }
        let code = EventCode(rawValue: packet.octet(at: 1))
        return code == .commandComplete || code == .commandStatus
    }

    /// Reads an event, starting with the event code. Returns nil for other events, and for events that end before the
    /// status of Command Status or the opcode of Command Complete.
    package init?(event: RawSpan) {
        guard event.byteCount >= 2 else { return nil }
        let end = min(event.byteCount, 2 + Int(event.octet(at: 1)))
        switch EventCode(rawValue: event.octet(at: 0)) {
        case .commandComplete:
            guard end >= 5 else { return nil }
            credit = event.octet(at: 2)
            opcode = OpCode(rawValue: event.littleEndian16(at: 3))
            status = ErrorCode(rawValue: end > 5 ? event.octet(at: 5) : 0)
            returnParameters = end > 6 ? (6..<end).map { event.octet(at: $0) } : []
        case .commandStatus:
            guard end >= 6 else { return nil }
            status = ErrorCode(rawValue: event.octet(at: 2))
            credit = event.octet(at: 3)
            opcode = OpCode(rawValue: event.littleEndian16(at: 4))
            returnParameters = []
        default:
            return nil
        }
    }
}
