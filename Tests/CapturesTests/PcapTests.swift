import Captures
import Testing

@Suite struct PcapTests {
    @Test("both byte orders and resolutions are read", arguments: [false, true], [UInt32(0xA1B2_C3D4), 0xA1B2_3C4D])
    func bothByteOrdersAndResolutions(isBig: Bool, magic: UInt32) throws {
        var file = Pcap.head(linkType: 187, isBig: isBig, magic: magic)
        let isNano = magic == 0xA1B2_3C4D
        file.add(Pcap.record([4] + Sample.event, fraction: isNano ? 250_999 : 250, isBig: isBig))
        let outcome = try read(file.bytes)
        #expect(outcome.format == "pcap, HCI H4 (187)")
        #expect(outcome.contents == ["hci 4 <"])
        #expect(outcome.records[0].bytes == Sample.event)
        #expect(outcome.times == [1_767_225_600_000_250])
    }

    @Test("H4 without direction is told by its type")
    func h4WithoutDirectionIsToldByItsType() throws {
        let outcome = try read(Pcap.file(linkType: 187, [[1] + Sample.command, [4] + Sample.event, [4], []]).bytes)
        #expect(
            outcome.contents == [
                "hci 1 >", "hci 4 <", "skipped: malformed packet", "skipped: malformed packet",
            ])
    }

    @Test("H4 with direction is read")
    func h4WithDirection() throws {
        let packets = [[0, 0, 0, 0, 2, 7, 7], [0, 0, 0, 1, 4] + Sample.event, [0, 0, 0, 1]]
        let outcome = try read(Pcap.file(linkType: 201, packets).bytes)
        #expect(outcome.contents == ["hci 2 >", "hci 4 <", "skipped: malformed packet"])
        #expect(outcome.records[0].bytes == [7, 7])
        #expect(outcome.records[1].bytes == Sample.event)
    }

    @Test("Linux monitor packets are read")
    func linuxMonitor() throws {
        let packets: [[UInt8]] = [
            [0, 1, 0, 3] + Sample.event, [0, 0, 0, 2] + Sample.command, [0xFF, 0xFF, 0, 12, 65], [0, 0, 0],
        ]
        let outcome = try read(Pcap.file(linkType: 254, packets).bytes)
        #expect(
            outcome.contents == ["hci 4 <", "hci 1 >", "skipped: metadata", "skipped: malformed packet"])
        #expect(outcome.records[0].bytes == Sample.event)
        #expect(outcome.records.map(\.adapter) == [1, 0, 0xFFFF, 0])
    }

    @Test("other link types are refused by number")
    func otherLinkTypesAreRefusedByNumber() throws {
        let outcome = try withFile(Pcap.file(linkType: 1, []).bytes) { path in
            attempt { () throws(CaptureError) in try CaptureReader(path: path) }
        }
        #expect(outcome.error?.code == .unsupported)
        #expect(outcome.error?.detail.contains("link type 1 ") == true)
    }

    @Test("a second file behind the first is told as such", arguments: [false, true])
    func aSecondFileBehindTheFirst(isBig: Bool) throws {
        let file = Pcap.sample().bytes
        let outcome = try read(file + Pcap.head(linkType: 251, isBig: isBig).bytes)
        #expect(outcome.records.count == 3)
        #expect(outcome.error?.code == .damaged)
        #expect(outcome.error?.offset == UInt64(file.count))
        #expect(outcome.error?.detail == "another capture begins here; give each capture a --source of its own")
    }

    @Test("an absurd length ends the reading with its place")
    func anAbsurdLengthEndsTheReadingWithItsPlace() throws {
        var file = Pcap.sample()
        let start = file.bytes.count
        file.add(Pcap.record([1]))
        file.bytes.replaceSubrange(start + 8..<start + 12, with: [0, 0, 0, 0x80])
        let outcome = try read(file.bytes)
        #expect(outcome.records.count == 3)
        #expect(outcome.error?.code == .damaged)
        #expect(outcome.error?.offset == UInt64(start))
    }
}
