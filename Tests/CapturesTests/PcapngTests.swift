import Captures
import Testing

@Suite struct PcapngTests {
    @Test("sections may have either byte order, and have interfaces of their own")
    func sectionsInBothByteOrdersWithInterfacesOfTheirOwn() throws {
        let bytes =
            Pcapng.section() + Pcapng.interface(linkType: 187) + Pcapng.enhanced([4] + Sample.event)
            + Pcapng.section(isBig: true) + Pcapng.interface(linkType: 254, isBig: true)
            + Pcapng.interface(linkType: 201, isBig: true)
            + Pcapng.enhanced([0, 3, 0, 3] + Sample.event, isBig: true)
            + Pcapng.enhanced([0, 0, 0, 0, 1] + Sample.command, interface: 1, isBig: true)
        let outcome = try read(bytes)
        #expect(outcome.format == "pcapng, HCI H4 (187)")
        #expect(outcome.error == nil)
        #expect(outcome.contents == ["hci 4 <", "hci 4 <", "hci 1 >"])
        #expect(outcome.records.map(\.adapter) == [0, 3, 0])
        #expect(outcome.records.map(\.bytes) == [Sample.event, Sample.event, Sample.command])
        #expect(outcome.times == [Int64?](repeating: 1_767_225_600_000_250, count: 3))
    }

    @Test("interfaces are told apart by their names, over all sections")
    func interfaceNames() throws {
        let names = [(UInt16(2), Array("usb0".utf8))]
        let bytes =
            Pcapng.section() + Pcapng.interface(linkType: 187, options: names) + Pcapng.interface(linkType: 187)
            + Pcapng.enhanced([4] + Sample.event) + Pcapng.enhanced([4] + Sample.event, interface: 1)
            + Pcapng.section() + Pcapng.interface(linkType: 187) + Pcapng.interface(linkType: 187, options: names)
            + Pcapng.enhanced([4] + Sample.event) + Pcapng.enhanced([4] + Sample.event, interface: 1)
        try withFile(bytes) { path in
            var reader = try CaptureReader(path: path)
            var numbers: [UInt16] = []
            while try reader.next({ record, _ in numbers.append(record.interface) }) {}
            let told = reader.interfaceNames
            let found = numbers.map { told?.name($0) }
            #expect(found == ["usb0", "interface 1", "interface 0", "usb0"])
        }
    }

    @Test("unknown and obsolete blocks are passed over")
    func unknownAndObsoleteBlocksArePassedOver() throws {
        let long = [UInt8](repeating: 7, count: 700_000)
        let bytes =
            Pcapng.section() + Pcapng.block(0x0000_0BAD, [1, 2, 3]) + Pcapng.interface(linkType: 187)
            + Pcapng.block(4, long) + Pcapng.block(2, [UInt8](repeating: 0, count: 24))
            + Pcapng.enhanced([4] + Sample.event) + Pcapng.block(5, [0, 0, 0, 0])
        let outcome = try read(bytes)
        #expect(outcome.error == nil)
        #expect(outcome.contents == ["skipped: obsolete packet block", "hci 4 <"])
    }

    /// Section 4.2 of the draft: if_tsresol is a power of ten or, with the upper bit, of two; if_tsoffset seconds.
    @Test("each resolution of time is read", arguments: [
        (6, 1_500_000, 1_500_000), (3, 1_500, 1_500_000), (9, 1_500_000_999, 1_500_000),
        (0, 7, 7_000_000), (0x80 | 1, 3, 1_500_000), (0x80 | 20, 3 << 19, 1_500_000), (0x80 | 0, 2, 2_000_000),
        (26, UInt64.max, 0), (0x80 | 127, UInt64.max, 0), (0, UInt64.max, Int64.max),
    ] as [(UInt8, UInt64, Int64)])
    func resolutions(option: UInt8, units: UInt64, microseconds: Int64) throws {
        let bytes =
            Pcapng.section() + Pcapng.interface(linkType: 187, options: [(2, Array("usb0".utf8)), (9, [option])])
            + Pcapng.enhanced([4] + Sample.event, units: units)
        #expect(try read(bytes).times == [microseconds])
    }

    @Test("offsets of time are added", arguments: [Int64(10), -10, 0, .max, .min])
    func offsets(seconds: Int64) throws {
        var value: [UInt8] = []
        value.little(seconds)
        let bytes =
            Pcapng.section() + Pcapng.interface(linkType: 187, options: [(14, value)])
            + Pcapng.enhanced([4] + Sample.event, units: 20_000_000)
        let expected = abs(seconds.clamped) > 1_000 ? Int64.max : (20 + seconds) * 1_000_000
        #expect(try read(bytes).times == [expected])
    }

    @Test("simple packets are cut at the snap length, and have no time")
    func simplePacketsAreCutAtTheSnapLengthAndHaveNoTime() throws {
        let bytes =
            Pcapng.section() + Pcapng.interface(linkType: 187, snapLength: 8)
            + Pcapng.simple([4, 1, 2, 3, 4, 5, 6, 7], originalLength: 99) + Pcapng.simple([4, 1, 2])
        let outcome = try read(bytes)
        #expect(outcome.records.map(\.bytes) == [[1, 2, 3, 4, 5, 6, 7], [1, 2]])
        #expect(outcome.times == [nil, nil])
    }

    @Test("foreign interfaces beside ones that are understood are passed over")
    func foreignInterfacesBesideOnesThatAreUnderstood() throws {
        let head = Pcapng.section() + Pcapng.interface(linkType: 1) + Pcapng.interface(linkType: 187)
        let foreign = Pcapng.enhanced([1, 2, 3, 4])
        let outcome = try read(head + foreign + Pcapng.enhanced([4] + Sample.event, interface: 1))
        #expect(outcome.contents == ["skipped: link type that is not understood", "hci 4 <"])
        #expect(outcome.error == nil)
        // Nothing but foreign packets is a mistake worth telling.
        let alone = try read(head + foreign)
        #expect(alone.contents == ["skipped: link type that is not understood"])
        #expect(alone.error?.code == .unsupported)
    }

    @Test("damaged blocks end the reading with their place")
    func damagedBlocksEndTheReadingWithTheirPlace() throws {
        let head = Pcapng.section() + Pcapng.interface(linkType: 187) + Pcapng.enhanced([4] + Sample.event)
        var trailer = Pcapng.enhanced([4] + Sample.event)
        trailer[trailer.count - 4] ^= 4
        var length = Pcapng.enhanced([4] + Sample.event)
        length[4] |= 1
        var captured = Pcapng.enhanced([4] + Sample.event)
        captured[20] = 0xFF
        let damaged: [[UInt8]] = [
            trailer, length, captured, Pcapng.enhanced([4], interface: 1), Pcapng.block(0x0A0D_0D0A, [1, 2, 3, 4]),
            Pcapng.interface(linkType: 187, options: [(9, [UInt8](repeating: 0, count: 8))]).overrunningOption(),
        ]
        for block in damaged {
            let outcome = try read(head + block)
            #expect(outcome.contents == ["hci 4 <"])
            #expect(outcome.error?.code == .damaged)
            #expect(outcome.error?.offset == UInt64(head.count))
        }
    }

    @Test("a section without packets is a clean end")
    func aSectionWithoutPacketsIsACleanEnd() throws {
        let outcome = try read(Pcapng.section())
        #expect(outcome.format == "pcapng")
        #expect(outcome.records.isEmpty)
        #expect(outcome.error == nil)
    }
}

extension Int64 {
    /// Far enough from the ends that `abs` holds.
    fileprivate var clamped: Int64 { Swift.max(-1_000_000, Swift.min(1_000_000, self)) }
}

extension Array<UInt8> {
    /// The first option of an Interface Description Block, made longer than the block.
    fileprivate func overrunningOption() -> [UInt8] {
        var copy = self
        copy[18] = 0xFF
        return copy
    }
}
