import Beacon
import HCI
import RadioEmulation
import Testing

/// What a system asks of a dual-mode controller before it thinks of LE.
@Suite struct ClassicTests {
    private func controller(_ profile: ControllerProfile) -> VirtualController {
        VirtualController(profile: profile, address: DeviceAddress(0x02BE_AC00_0001))
    }

    @Test("settings are kept until reset")
    func settingsAreKeptUntilReset() throws {
        var controller = controller(.raspberryPi3)
        func read() throws -> [UInt8] {
            try #require(controller.execute(Command(OpCode(ogf: 3, ocf: 0x23)).packet, at: .zero).first.flatMap(answer))
                .returnParameters
        }
        #expect(try read() == [0, 0, 0])
        #expect(controller.status(Command(OpCode(ogf: 3, ocf: 0x24), [1, 2, 3])) == .success)
        #expect(try read() == [1, 2, 3])
        #expect(controller.status(.reset) == .success)
        #expect(try read() == [0, 0, 0])
    }

    @Test("scan enable is read as it was written")
    func scanEnableIsReadAsItWasWritten() throws {
        var controller = controller(.bluetooth5)
        #expect(controller.status(.writeScanEnable(2)) == .success)
        #expect(controller.status(.writeScanEnable(4)) == .invalidParameters)
        let event = try #require(controller.execute(Command.readScanEnable.packet, at: .zero).first.flatMap(answer))
        #expect(event.returnParameters == [2])
    }

    /// The opcodes and lengths of return parameters that Linux 6.1 asks for while it brings an adapter up.
    @Test("answers have their lengths", arguments: [
        (UInt16(0x1005), 7), (0x0C14, 248), (0x0C23, 3), (0x0C25, 2), (0x0C38, 1), (0x0C39, 4), (0x0C1B, 4),
        (0x0C46, 1),
    ])
    func answersHaveTheirLength(_ opcode: UInt16, _ length: Int) throws {
        let command = Command(OpCode(rawValue: opcode))
        var dual = controller(.bluetooth5)
        let event = try #require(dual.execute(command.packet, at: .zero).first.flatMap(answer))
        #expect(event.status == .success)
        #expect(event.returnParameters.count == length)
        var single = controller(.extendedOnly)
        #expect(single.status(command) == .unknownCommand)
    }

    @Test("supported states are told")
    func supportedStatesAreTold() throws {
        var controller = controller(.extendedOnly)
        let command = Command(OpCode(ogf: 8, ocf: 0x1C))
        let event = try #require(controller.execute(command.packet, at: .zero).first.flatMap(answer))
        #expect(event.returnParameters == [0x37, 0x77, 0, 0, 0, 0, 0, 0])
    }
}
