import Foundation
import Testing
import TestSupport

/// `beacon-advertise` without a controller.
@Suite(.serialized, .timeLimit(.minutes(10)))
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
        #expect(
            comments.contains { $0.contains("hcitool -i hci0 cmd 0x08 0x0008 1E 02 01 1A 1A FF 4C 00 02 15 63 6F") })
        #expect(comments.contains { $0.contains("leadv") })
        #expect(comments.count == packets.count)
    }

    @Test("every value has its place")
    func values() async throws {
        let (packets, _) = try await Self.packets(
            "--uuid", "00112233-4455-6677-8899-aabbccddeeff", "--major", "258", "--minor", "65535",
            "--measured-power", "-100", "--interval-ms", "1285")
        #expect(
            packets.contains(
                "01 08 20 20 1E 02 01 1A 1A FF 4C 00 02 15 00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 01 02 FF "
                    + "FF 9C 00"
            ))
        #expect(packets.contains { $0.hasPrefix("01 06 20 0F 08 08 08 08 03") })
    }

    @Test("each hcitool line that is printed stands for the packet below it")
    func comments() async throws {
        let end = try await RunningProgram.run(Programs.beaconAdvertise, ["--dry-run", "--measured-power", "-59"])
        var count = 0
        for (comment, packet) in zip(end.lines, end.lines.dropFirst()) {
            // hcitool -i hci0 cmd OGF OCF OCTET…
            // Behind another # is a remark.
            let line = comment.dropFirst().split(separator: "#").first ?? ""
            let words = ["#"] + line.split(separator: " ").map(String.init)
            guard words.count > 6, words[1] == "hcitool", words[4] == "cmd" else { continue }
            let ogf = try #require(UInt16(words[5].dropFirst(2), radix: 16))
            let ocf = try #require(UInt16(words[6].dropFirst(2), radix: 16))
            let opcode = ogf << 10 | ocf
            let octets = words.dropFirst(7).map { UInt8($0, radix: 16) }
            try #require(!octets.contains(nil), "\(comment)")
            let sent = [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(octets.count)] + octets.compactMap { $0 }
            #expect(packet.split(separator: " ").map { UInt8($0, radix: 16) } == sent, "\(comment)")
            count += 1
        }
        #expect(count >= 2)
    }
}
