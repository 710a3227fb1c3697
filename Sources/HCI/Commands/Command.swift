import Beacon

/// A command of the host: an opcode and its parameters. Core Specification Vol 4, Part E, 5.4.1.
package struct Command: Hashable, Sendable {
    package var opcode: OpCode
    package var parameters: [UInt8]

    /// - Parameter parameters: at most 255 octets.
    package init(_ opcode: OpCode, _ parameters: [UInt8] = []) {
        precondition(parameters.count <= 255, "an HCI command holds at most 255 octets of parameters")
        self.opcode = opcode
        self.parameters = parameters
    }

    /// Reads a packet as it is sent on the wire. Returns nil when it is not a command.
    ///
    /// - Parameter packet: type octet first.
    package init?(packet: RawSpan) {
        guard packet.byteCount > 3, packet.octet(at: 0) == PacketType.command.rawValue else { return nil }
        let end = min(packet.byteCount, 4 + Int(packet.octet(at: 3)))
        self.init(OpCode(rawValue: packet.littleEndian16(at: 1)), (4..<end).map { packet.octet(at: $0) })
    }

    /// The H4 packet: type, opcode, length, parameters.
    package var packet: [UInt8] {
        var packet = [PacketType.command.rawValue]
        packet.append(littleEndian: opcode.rawValue)
        packet.append(UInt8(parameters.count))
        return packet + parameters
    }
}
