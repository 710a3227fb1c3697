import Captures
import Testing

@Suite struct HcidumpTests {
    private let event: [UInt8] = [4] + Sample.event
    private let command: [UInt8] = [1] + Sample.command

    private func outcome(_ text: String) throws -> Outcome {
        try read(Array(text.utf8))
    }

    @Test("a packet may have several lines")
    func packetsOfSeveralLines() throws {
        let found = try read(Text.hcidumpSample().bytes)
        #expect(found.format == "hcidump text")
        #expect(found.hasTimes == false)
        #expect(found.contents == ["hci 4 <", "hci 1 >", "hci 4 <"])
        #expect(found.records.map(\.bytes) == [Sample.event, Sample.command, Sample.event])
        #expect(found.records.map(\.line) == [1, 4, 5])
        #expect(found.times == [nil, nil, nil])
        #expect(found.error == nil)
    }

    @Test("stray lines are passed over, also amid a packet")
    func strayLinesArePassedOverAlsoAmidAPacket() throws {
        var lines = Text.hcidump(event).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.insert("// a note", at: 1)
        let text =
            "HCI sniffer - Bluetooth packet analyzer ver 5.66\ndevice: hci0 snap_len: 1500 filter: 0xffffffff\n"
            + lines.joined(separator: "\n") + "\n  41 42\n" + Text.hcidump(command, arrow: "<")
        let found = try outcome(text)
        let stray = "skipped: line that belongs to no packet"
        #expect(found.contents == [stray, stray, stray, "hci 4 <", stray, "hci 1 >"])
        #expect(found.records[3].bytes == Sample.event)
        #expect(found.records.map(\.line) == [1, 2, 4, 3, 8, 9])
        #expect(found.error == nil)
    }

    @Test("broken packets are counted and the next one is read")
    func brokenPacketsAreCountedAndTheNextOneIsRead() throws {
        let short = "> 04 3E 2A 02\n"
        let found = try outcome(Text.hcidump(command) + "> 04 XX\n" + short + Text.hcidump(event))
        #expect(found.contents == ["hci 1 <", "skipped: malformed packet", "hci 4 <", "hci 4 <"])
        #expect(found.records[2].bytes == [0x3E, 0x2A, 0x02])
        #expect(found.records[3].bytes == Sample.event)
    }

    @Test("carriage returns, lower case and a missing last line end are read")
    func carriageReturnsLowerCaseAndAMissingLastLineEnd() throws {
        let text = Text.hcidump(event).lowercased().replacing("\n", with: "\r\n") + Text.hcidump(command).dropLast(2)
        let found = try outcome(text)
        #expect(found.records.map(\.bytes) == [Sample.event, Sample.command])
        #expect(found.error == nil)
    }

    @Test("seconds before the arrow are the time")
    func secondsBeforeTheArrow() throws {
        let found = try outcome(
            Text.hcidump(event, stamp: "1388534400.000250 ") + Text.hcidump(command, stamp: "1388534401.500000 "))
        #expect(found.hasTimes == true)
        #expect(found.times == [1_388_534_400_000_250, 1_388_534_401_500_000])
        #expect(found.records.map(\.bytes) == [Sample.event, Sample.command])
    }

    @Test("date and time before the arrow are the time")
    func dateAndTimeBeforeTheArrow() throws {
        let found = try outcome(Text.hcidump(event, stamp: "2014-01-01 00:00:00.000250 "))
        #expect(found.times == [1_388_534_400_000_250])
    }

    @Test("a text that ends within a packet tells the line")
    func aTextThatEndsWithinAPacketTellsTheLine() throws {
        let text = Text.hcidump(event) + Text.hcidump(event)
        let found = try outcome(String(text.dropLast(10)))
        #expect(found.contents == ["hci 4 <"])
        #expect(found.error?.code == .truncated)
        #expect(found.error?.description.contains("begins on line 4") == true)
    }

    @Test("overlong lines are one stray line")
    func overlongLinesAreOneStrayLine() throws {
        let text = Text.hcidump(event) + String(repeating: "x", count: 200_000) + "\n" + Text.hcidump(command)
        let found = try outcome(text)
        #expect(found.records.map(\.bytes).filter { $0 == Sample.event || $0 == Sample.command }.count == 2)
        #expect(found.records.last?.line == 5)
    }

    @Test("an endless packet is bounded")
    func anEndlessPacketIsBounded() throws {
        var text = "> 02 00 20 FF FF\n"
        for _ in 0..<10_000 { text += "  00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13\n" }
        let found = try outcome(text)
        let packet = try #require(found.records.first)
        #expect((65_535...65_560).contains(packet.bytes.count))
        #expect(found.error == nil)
    }
}
