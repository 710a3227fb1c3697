import HCI
import Radio

/// The packets of the recipe as text, each under the command that sends the same by hand.
enum DryRun {
    static func text(_ data: [UInt8], _ parameters: AdvertisingParameters, adapter: String) -> String {
        ControllerProcedure.advertisingSteps(data, parameters, .legacy).map { step in
            let command = step.command
            return "# \(equivalent(of: command, adapter))\n\(hex(command.packet))\n"
        }.joined()
    }

    private static func equivalent(of command: Command, _ adapter: String) -> String {
        switch command.opcode {
        case .writeScanEnable: "hciconfig \(adapter) noscan"
        case .leSetAdvertisingEnable where command.parameters == [0]: "hciconfig \(adapter) noleadv"
        case .leSetAdvertisingEnable: "hciconfig \(adapter) leadv 3 (its second half; the first sets 1.28 s)"
        default:
            "hcitool -i \(adapter) cmd 0x\(hex([command.opcode.ogf])) 0x\(hex(ocf: command.opcode.ocf)) "
                + hex(command.parameters)
        }
    }

    private static func hex(ocf: UInt16) -> String {
        hex([UInt8(ocf >> 8), UInt8(ocf & 0xFF)]).filter { $0 != " " }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: " ")
    }
}
