import Foundation
import Testing
import TestSupport

/// `beacon-advertise` without a controller.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct AdvertiseTests {
    static func packets(_ arguments: String...) async throws -> (packets: [String], comments: [String]) {
        let end = try await RunningProgram.run(Programs.beaconAdvertise, ["--dry-run"] + arguments)
        #expect(end.status == 0, "\(end.errors)")
        return (end.lines.filter { !$0.hasPrefix("#") }, end.lines.filter { $0.hasPrefix("#") })
    }

    /// LE Set Advertising Data, whole: its length, 31 octets, and the pad octet that the well-known line forgets.
    static let recipe =
        "01 08 20 20 1E 02 01 1A 1A FF 4C 00 02 15 63 6F 3F 8F 64 91 4B EE 95 F7 D8 CC 64 A8 63 B5 00 00 00 00 C8 00"

    @Test("--dry-run is the recipe, to the byte")
    func recipe() async throws {
        let (packets, comments) = try await Self.packets()
        #expect(packets.contains(Self.recipe))
        #expect(packets.contains("01 06 20 0F A0 00 A0 00 03 00 00 00 00 00 00 00 00 07 00"))
        #expect(packets.last == "01 0A 20 01 01")
        #expect(comments.contains { $0.contains("hcitool -i hci0 cmd 0x08 0x0008 1E 02 01 1A 1A FF 4C 00 02 15 63 6F") })
        #expect(comments.contains { $0.contains("leadv") })
        #expect(comments.count == packets.count)
    }

    @Test("every value has its place")
    func values() async throws {
        let (packets, _) = try await Self.packets(
            "--uuid", "00112233-4455-6677-8899-aabbccddeeff", "--major", "258", "--minor", "65535",
            "--measured-power=-100", "--interval-ms", "1285")
        #expect(
            packets.contains(
                "01 08 20 20 1E 02 01 1A 1A FF 4C 00 02 15 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 01 02 FF FF 9C 00"
            ))
        #expect(packets.contains { $0.hasPrefix("01 06 20 0F 08 08 08 08 03") })
    }
}
