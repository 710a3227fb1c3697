import Captures
import TestSupport
import Testing

@Suite struct BtsnoopTests {
    @Test("H4 packets lose their type octet")
    func h4PacketsLoseTheirTypeOctet() throws {
        let outcome = try read(Btsnoop.sample().bytes)
        #expect(outcome.format == "btsnoop, HCI H4 (1002)")
        #expect(outcome.hasTimes == true)
        #expect(outcome.contents == ["hci 1 >", "hci 4 <", "hci 4 <"])
        #expect(outcome.records.map(\.bytes) == [Sample.command, Sample.event, Sample.event])
        #expect(outcome.times == [1_767_225_600_000_000, 1_767_225_600_000_001, 1_767_225_602_500_000])
        // A head of 16 octets, then 24 before every packet.
        #expect(outcome.records.map(\.offset) == [16, 46, 115])
        #expect(outcome.error == nil)
    }

    @Test("unencapsulated packets are told by their flags")
    func unencapsulatedPacketsAreToldByTheirFlags() throws {
        var file = Btsnoop.head(datalink: 1001)
        for flags: UInt32 in 0...3 { file.add(Btsnoop.record(Sample.event, flags: flags)) }
        let outcome = try read(file.bytes)
        #expect(outcome.format == "btsnoop, HCI without packet types (1001)")
        #expect(outcome.contents == ["hci 2 >", "hci 2 <", "hci 1 >", "hci 4 <"])
        #expect(outcome.records.allSatisfy { $0.bytes == Sample.event })
    }

    @Test("monitor records are told by their opcodes")
    func monitorRecordsAreToldByTheirOpcodes() throws {
        var file = Btsnoop.head(datalink: 2001)
        for opcode: UInt32 in 0...20 { file.add(Btsnoop.record([9, 9, 9], flags: 5 << 16 | opcode)) }
        let outcome = try read(file.bytes)
        let expected: [Int: String] = [
            2: "hci 1 >", 3: "hci 4 <", 4: "hci 2 >", 5: "hci 2 <", 6: "hci 3 >", 7: "hci 3 <", 18: "hci 5 >",
            19: "hci 5 <",
        ]
        #expect(outcome.contents == (0...20).map { expected[$0] ?? "skipped: metadata" })
        #expect(outcome.records.allSatisfy { $0.adapter == 5 && $0.bytes == [9, 9, 9] })
    }

    @Test("empty records are malformed packets")
    func emptyRecordsAreMalformedPackets() throws {
        var file = Btsnoop.head(datalink: 1002)
        file.add(Btsnoop.record([], flags: 3))
        file.add(Btsnoop.record([4] + Sample.event, flags: 3))
        #expect(try read(file.bytes).contents == ["skipped: malformed packet", "hci 4 <"])
    }

    @Test("an absurd length ends the reading with its place")
    func anAbsurdLengthEndsTheReadingWithItsPlace() throws {
        var file = Btsnoop.sample()
        let start = file.bytes.count
        file.add(Btsnoop.record([4], flags: 3))
        file.bytes.replaceSubrange(start + 4..<start + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let outcome = try read(file.bytes)
        #expect(outcome.records.count == 3)
        #expect(outcome.error?.code == .damaged)
        #expect(outcome.error?.offset == UInt64(start))
        #expect(outcome.error?.description.hasSuffix("the 3 records before it were used") == true)
    }

    @Test("a second file behind the first is told as such")
    func aSecondFileBehindTheFirst() throws {
        let file = Btsnoop.sample().bytes
        let outcome = try read(file + file)
        #expect(outcome.records.count == 3)
        #expect(outcome.error?.code == .damaged)
        #expect(outcome.error?.offset == UInt64(file.count))
        #expect(outcome.error?.detail == "another capture begins here; give each capture a --source of its own")
    }

    @Test("other versions and datalinks are refused")
    func otherVersionsAndDatalinksAreRefused() throws {
        for file in [Btsnoop.head(datalink: 1002, version: 2), Btsnoop.head(datalink: 1003)] {
            try withFile(file.bytes) { path in
                let outcome = attempt { () throws(CaptureError) in try CaptureReader(path: path) }
                #expect(outcome.error?.code == .unsupported)
            }
        }
    }

    @Test("records that straddle the buffer are whole")
    func recordsThatStraddleTheBufferAreWhole() throws {
        var file = Btsnoop.head(datalink: 1002)
        var packets: [[UInt8]] = []
        var random = SeededGenerator(seed: 3)
        while file.bytes.count < 3_000_000 {
            let packet = (0..<Int.random(in: 1...70_000, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
            packets.append(packet)
            file.add(Btsnoop.record([2] + packet, flags: 1))
        }
        let outcome = try read(file.bytes)
        #expect(outcome.error == nil)
        #expect(outcome.records.map(\.bytes) == packets)
    }
}
