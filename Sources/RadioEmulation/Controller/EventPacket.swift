import Beacon
import HCI

/// A controller's events as H4 packets. Core Specification Vol 4, Part E, 5.4.4 and 7.7.
enum EventPacket {
    /// The longest parameters of an event, in octets.
    static let longestParameters = 255

    /// Always allows one further command.
    static func commandComplete(_ opcode: OpCode, _ status: ErrorCode, _ returnParameters: [UInt8] = []) -> [UInt8] {
        var parameters: [UInt8] = [1]
        parameters.append(littleEndian: opcode.rawValue)
        parameters.append(status.rawValue)
        return packet(.commandComplete, parameters + returnParameters)
    }

    static func leMeta(_ subevent: LESubevent, _ parameters: [UInt8] = []) -> [UInt8] {
        packet(.leMeta, [subevent.rawValue] + parameters)
    }

    private static func packet(_ code: EventCode, _ parameters: [UInt8]) -> [UInt8] {
        let parameters = parameters.prefix(longestParameters)
        return [PacketType.event.rawValue, code.rawValue, UInt8(parameters.count)] + parameters
    }
}

extension LESubevent {
    static let scanTimeout = LESubevent(rawValue: 0x11)
    static let advertisingSetTerminated = LESubevent(rawValue: 0x12)

    /// The bit that enables the subevent in the LE event mask: bit 0 is for subevent 1. Core Specification Vol 4, Part
    /// E, 7.8.1.
    var maskBit: UInt64 {
        rawValue > 0 && rawValue <= 64 ? 1 << UInt64(rawValue - 1) : 0
    }
}

extension ErrorCode {
    static let advertisingTimeout = ErrorCode(rawValue: 0x3C)
}
