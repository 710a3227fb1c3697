import Advertising
import HCI
import Listening
import Radio

/// The recipe's packets as text, each below the command line that sends the same packet.
enum DryRun {
    static func text(_ settings: BeaconSettings) -> String {
        let adapter = Self.adapter(settings.source)
        let steps =
            settings.followsGuides
            ? ControllerProcedure.guideSteps(settings.broadcast.data)
            : ControllerProcedure.advertisingSteps(settings.broadcast, .legacy)
        return steps.map { step in
            let command = step.command
            let equivalent =
                settings.followsGuides ? line(ofGuide: command, adapter) : equivalent(of: command, adapter)
            return "# \(equivalent)\n\(hexText(command.packet))\n"
        }.joined()
    }

    /// As hciconfig and hcitool take it: a place holder for what is no adapter of this computer.
    private static func adapter(_ source: SourceSpec) -> String {
        guard case .adapter(.index(let index), _) = source.kind else { return "hciN" }
        return "hci\(index)"
    }

    /// The command lines of the guides. leadv sends two commands.
    private static func line(ofGuide command: Command, _ adapter: String) -> String {
        switch command.opcode {
        case .leSetAdvertisingParameters: "hciconfig \(adapter) leadv 3   # first: every 1.28 s"
        case .leSetAdvertisingEnable: "hciconfig \(adapter) leadv 3   # then: on the air, with whatever data is there"
        default: equivalent(of: command, adapter)
        }
    }

    private static func equivalent(of command: Command, _ adapter: String) -> String {
        switch command.opcode {
        case .writeScanEnable: "hciconfig \(adapter) noscan"
        case .leSetAdvertisingEnable where command.parameters == [0]: "hciconfig \(adapter) noleadv"
        case .leSetAdvertisingEnable:
            // leadv itself sets the interval to 1.28 s first.
            hcitool(command, adapter) + "   # the second half of hciconfig \(adapter) leadv 3"
        default: hcitool(command, adapter)
        }
    }

    private static func hcitool(_ command: Command, _ adapter: String) -> String {
        "hcitool -i \(adapter) cmd 0x\(hexText([command.opcode.ogf])) 0x\(hex(ocf: command.opcode.ocf)) "
            + hexText(command.parameters)
    }

    private static func hex(ocf: UInt16) -> String {
        hexText([UInt8(ocf >> 8), UInt8(ocf & 0xFF)]).filter { $0 != " " }
    }
}
