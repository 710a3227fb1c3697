import Beacon

/// A command of the host: an opcode and its parameters. Core Specification Vol 4, Part E, 5.4.1.
public struct Command: Hashable, Sendable {
    public var opcode: OpCode
    public var parameters: [UInt8]

    /// - Parameter parameters: at most 255 octets.
    public init(_ opcode: OpCode, _ parameters: [UInt8] = []) {
        precondition(parameters.count <= 255, "an HCI command holds at most 255 octets of parameters")
        self.opcode = opcode
        self.parameters = parameters
    }

    /// The H4 packet: type, opcode, length, parameters.
    public var packet: [UInt8] {
        var packet = [PacketType.command.rawValue]
        packet.append(littleEndian: opcode.rawValue)
        packet.append(UInt8(parameters.count))
        return packet + parameters
    }
}
