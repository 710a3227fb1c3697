import Beacon
import HCI
import RadioEmulation
import Testing

@Suite struct InformationTests {
    private func read(_ command: Command, _ profile: ControllerProfile) throws -> [UInt8] {
        var controller = VirtualController(profile: profile, address: DeviceAddress(0x02BE_AC00_0001))
        let events = controller.execute(command.packet, at: .zero)
        let answer = try #require(events.first.flatMap(answer))
        #expect(answer.status == .success)
        return answer.returnParameters
    }

    @Test("features and version are those of the profile", arguments: [
        (ControllerProfile.raspberryPi3, false, 8), (.bluetooth5, true, 9), (.extendedOnly, true, 9),
    ])
    func featuresAndVersion(_ profile: ControllerProfile, _ isExtended: Bool, _ version: Int) throws {
        let features = try #require(LEFeatures(returnParameters: read(.leReadLocalSupportedFeatures, profile)))
        #expect(features.hasExtendedAdvertising == isExtended)
        // Core Specification Vol 4, Part E, 7.4.1: the version of HCI comes first.
        let local = try read(.readLocalVersionInformation, profile)
        #expect(local.count == 8 && local[0] == UInt8(version))
        let address = DeviceAddress(returnParameters: try read(.readBDADDR, profile))
        #expect(address == DeviceAddress(0x02BE_AC00_0001))
        let general = try read(Command(.readLocalSupportedFeatures), profile)
        #expect(general[4] & 0x40 != 0)
        #expect((general[4] & 0x20 != 0) == !profile.isDualMode)
        #expect(try read(Command(.leReadBufferSize), profile).count == 3)
    }

    @Test("supported commands follow the profile")
    func supportedCommandsFollowTheProfile() throws {
        let legacy = try read(Command(.readLocalSupportedCommands), .raspberryPi3)
        let extended = try read(Command(.readLocalSupportedCommands), .extendedOnly)
        #expect(legacy.count == 64)
        // LE Set Advertising Parameters, LE Set Scan Enable, LE Set Extended Advertising Enable, Write Scan Enable.
        #expect(legacy[25] & 0x20 != 0 && extended[25] & 0x20 == 0)
        #expect(legacy[26] & 0x08 != 0 && extended[26] & 0x08 == 0)
        #expect(legacy[36] & 0x20 == 0 && extended[36] & 0x20 != 0)
        #expect(legacy[7] & 0x80 != 0 && extended[7] & 0x80 == 0)
    }

    @Test("selected transmit power is returned")
    func selectedTransmitPowerIsReturned() throws {
        var controller = VirtualController(address: DeviceAddress(1))
        func parameters(_ power: String) -> Command {
            Command(
                .leSetExtendedAdvertisingParameters,
                hex("00 1000 A00000 A00000 07 00 00 000000000000 00 \(power) 01 00 01 00 00"))
        }
        let weak = controller.execute(parameters("F4").packet, at: .zero)
        #expect(weak.first.flatMap(answer)?.returnParameters == [0xF4])
        _ = controller.execute(Command.leSetExtendedAdvertisingEnable(true, .first).packet, at: .zero)
        // 20 dB below the greatest power of 8 dBm.
        #expect(controller.advertisements.first?.levelAtOneMetre == -76)
        _ = controller.execute(Command.leSetExtendedAdvertisingEnable(false, .first).packet, at: .zero)
        let any = controller.execute(parameters("7F").packet, at: .zero)
        #expect(any.first.flatMap(answer)?.returnParameters == [8])
    }
}
