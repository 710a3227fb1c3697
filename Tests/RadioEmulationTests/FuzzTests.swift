import Beacon
import HCI
import RadioEmulation
import Testing
import YAMLText

@Suite(.timeLimit(.minutes(20)))
struct FuzzTests {
    private static let profiles: [ControllerProfile] = [.raspberryPi3, .bluetooth5, .extendedOnly]

    /// Whatever the host sends, the controller answers a command with one whole event, and never traps.
    @Test("random packets are answered", arguments: profiles)
    func randomPacketsAreAnswered(_ profile: ControllerProfile) async {
        var random = RandomSource(seed: 11)
        var emulation = Emulation(.oneBeacon(at: 1))
        let other = emulation.attach()
        emulation.run(Listen.extended, on: other)
        let id = emulation.attach(profile)
        var answers = 0
        for step in 0..<30_000 {
            // Other tests have limits of time.
            if step.isMultiple(of: 500) { await Task.yield() }
            let packet = Self.packet(&random)
            let deliveries = emulation.send(packet, to: id, at: .milliseconds(step))
            for delivery in deliveries {
                #expect(delivery.packet.count == 3 + Int(delivery.packet[2]))
            }
            answers += deliveries.count { $0.controller == id && answer($0.packet) != nil }
        }
        #expect(answers > 20_000)
    }

    /// Mostly LE commands, mostly with the length that they should have.
    private static func packet(_ random: inout RandomSource) -> [UInt8] {
        let kind = random.integer(upTo: 9)
        let length: Int64
        var packet: [UInt8]
        if kind == 0 {
            packet = (0..<random.integer(upTo: 12)).map { _ in UInt8(random.integer(upTo: 255)) }
            return packet
        }
        let opcode = OpCode(ogf: 0x08, ocf: UInt16(random.integer(upTo: 0x45)))
        let lengths: [OpCode: Int64] = [
            .leSetEventMask: 8, .leSetRandomAddress: 6, .leSetAdvertisingParameters: 15, .leSetAdvertisingData: 32,
            .leSetScanResponseData: 32, .leSetAdvertisingEnable: 1, .leSetScanParameters: 7, .leSetScanEnable: 2,
            .leSetAdvertisingSetRandomAddress: 7, .leSetExtendedAdvertisingParameters: 25,
            .leSetExtendedAdvertisingEnable: 6, .leRemoveAdvertisingSet: 1, .leSetExtendedScanParameters: 8,
            .leSetExtendedScanEnable: 6,
        ]
        length = kind < 8 ? lengths[opcode] ?? 4 : random.integer(upTo: 40)
        packet = [1]
        packet.append(littleEndian: opcode.rawValue)
        packet.append(UInt8(length))
        for _ in 0..<length {
            // Small numbers are where most rules are met.
            packet.append(UInt8(random.integer(upTo: random.integer(upTo: 2) == 0 ? 255 : 2)))
        }
        return packet
    }

    @Test("damaged scenarios are errors with their places, or can be played")
    func damagedScenariosAreErrorsOrScenarios() {
        var random = RandomSource(seed: 12)
        let text = Array(Scenario.museumYAML.utf8)
        var (accepted, refused) = (0, 0)
        for _ in 0..<500 {
            var damaged = text
            for _ in 0...random.integer(upTo: 5) {
                let place = Int(random.integer(upTo: Int64(damaged.count - 1)))
                damaged[place] = UInt8(32 + random.integer(upTo: 90))
            }
            do throws(DocumentError) {
                let scenario = try Scenario(yaml: String(decoding: damaged, as: UTF8.self), file: "x")
                // What is accepted can be played from its start.
                var emulation = Emulation(scenario)
                let ear = emulation.attach()
                #expect(emulation.run(Listen.extended, on: ear).allSatisfy { $0 == .success })
                #expect(emulation.advance(to: .milliseconds(1)).allSatisfy { $0.packet.count == 3 + Int($0.packet[2]) })
                accepted += 1
            } catch {
                #expect(!error.lines.isEmpty && error.lines.allSatisfy { $0.hasPrefix("x:") }, "\(error.lines)")
                refused += 1
            }
        }
        #expect(accepted > 0 && refused > accepted, "\(accepted) accepted, \(refused) refused")
    }
}
