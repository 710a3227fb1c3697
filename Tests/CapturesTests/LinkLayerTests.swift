import Captures
import Testing

@Suite struct LinkLayerTests {
    private func contents(_ linkType: UInt32, _ packets: [[UInt8]]) throws -> [String] {
        let outcome = try read(Pcap.file(linkType: linkType, packets).bytes)
        #expect(outcome.error == nil)
        for record in outcome.records where record.content.hasPrefix("legacy") && record.bytes.count > 0 {
            #expect(record.bytes == Sample.advertising)
        }
        return outcome.contents
    }

    private let address = "66:55:44:33:22:11"

    // MARK: - CRC

    /// The check value of CRC-24/BLE in the catalogue of parametrised CRC algorithms: 0xC25A56 for "123456789".
    @Test("the tests' own checksum is the specification's")
    func theTestsOwnChecksumIsTheSpecifications() {
        #expect(Frame.checksum(Array("123456789".utf8)) == [0x56, 0x5A, 0xC2])
    }

    /// A frame whose CRC Wireshark's dissector confirms.
    @Test("a known frame is read")
    func aKnownFrame() throws {
        let frame = [UInt8](
            hex: """
                d6be898e 0224 112233445566 02011a1aff4c000215636f3f8f64914bee95f7d8cc64a863b500010002c8 5356bb
                """)
        #expect(frame == Frame.legacy(2, isRandom: false))
        #expect(try contents(251, [frame]) == ["legacy 3 public \(address) -"])
    }

    @Test("every flipped bit is noticed")
    func everyFlippedBitIsNoticed() throws {
        let frame = Frame.legacy(2)
        // The access address is not covered, and a changed length moves the CRC.
        let flipped = (32..<frame.count * 8).map { bit in
            var copy = frame
            copy[bit / 8] ^= 1 << UInt8(bit % 8)
            return copy
        }
        for content in try contents(251, flipped) {
            #expect(content == "skipped: bad CRC" || content == "skipped: malformed packet")
        }
    }

    // MARK: - PDUs

    @Test("legacy kinds become the event types of reports")
    func legacyKindsBecomeTheEventTypesOfReports() throws {
        let frames = (0...15).map { Frame.legacy(UInt8($0)) }
        let types: [Int: Int] = [0: 0, 1: 1, 2: 3, 4: 4, 6: 2]
        let found = try contents(251, frames)
        for type in 0...15 where type != 7 {
            #expect(
                found[type] == types[type].map { "legacy \($0) random \(address) -" }
                    ?? "skipped: no advertisement")
        }
    }

    @Test("directed advertisements have no data")
    func directedAdvertisementsHaveNoData() throws {
        let frame = Frame.make(type: 1, isRandom: false, payload: Frame.address + Frame.address)
        let outcome = try read(Pcap.file(linkType: 251, [frame]).bytes)
        #expect(outcome.contents == ["legacy 1 public \(address) -"])
        #expect(outcome.records[0].bytes == [])
    }

    @Test("extended headers are read")
    func extendedHeaders() throws {
        let adi: [UInt8] = [1, 0x10]
        let pointer: [UInt8] = [5, 0x20, 0]
        let frames = [
            Frame.extended(mode: 0, flags: 0x09, fields: Frame.address + adi),
            Frame.extended(mode: 1, flags: 0x49, fields: Frame.address + adi + [0xF6]),
            Frame.extended(mode: 2, flags: 0x0B, fields: Frame.address + Frame.address + adi),
            Frame.extended(mode: 0, flags: 0x19, fields: Frame.address + adi + pointer),
            // Additional controller data behind the fields
            Frame.extended(mode: 0, flags: 0x01, fields: Frame.address + [2, 0x28, 0]),
            // ADV_EXT_IND, which only points on
            Frame.extended(mode: 0, flags: 0x18, fields: adi + pointer, data: []),
            // AUX_CHAIN_IND
            Frame.extended(mode: 0, flags: 0x08, fields: adi),
            // Fields that do not fit the header
            Frame.extended(mode: 0, flags: 0x3F, fields: Frame.address),
            // A header that does not fit the payload
            Frame.make(type: 7, payload: [0x20, 1, 2]),
            Frame.make(type: 7, payload: []),
        ]
        #expect(
            try contents(251, frames) == [
                "extended 0 random \(address) -", "extended 1 random \(address) -",
                "extended 6 random \(address) -", "extended 64 random \(address) -",
                "extended 0 random \(address) -", "skipped: no advertisement", "skipped: no advertisement",
                "skipped: malformed packet", "skipped: malformed packet", "skipped: malformed packet",
            ])
        let outcome = try read(Pcap.file(linkType: 251, Array(frames[..<5])).bytes)
        #expect(outcome.records.allSatisfy { $0.bytes == Sample.advertising })
    }

    @Test("other frames are no reports")
    func otherFramesAreNoReports() throws {
        let frames = [
            Frame.make(type: 2, payload: Frame.address + Sample.advertising, accessAddress: 0x1234_5678),
            Frame.make(type: 2, payload: [1, 2, 3]),
            Frame.make(type: 2, payload: Frame.address + [UInt8](repeating: 0, count: 32)),
            Array(Frame.legacy(2).dropLast()), [], [0xD6, 0xBE, 0x89, 0x8E],
        ]
        #expect(
            try contents(251, frames) == [
                "skipped: not on the advertising access address", "skipped: malformed packet",
                "skipped: malformed packet", "skipped: malformed packet", "skipped: malformed packet",
                "skipped: malformed packet",
            ])
    }

    // MARK: - Radio headers

    private func withRadioHeader(_ frame: [UInt8], flags: UInt16, power: Int8 = -61) -> [UInt8] {
        var record: [UInt8] = [39, UInt8(bitPattern: power), 0x9C, 0]
        record.little(UInt32(0x8E89_BED6))
        record.little(flags)
        return record + frame
    }

    @Test("the flags of the radio header count")
    func radioHeaderFlags() throws {
        let good = Frame.legacy(2)
        let bad = Frame.make(type: 2, payload: Frame.address + Sample.advertising, damage: 1)
        let auxiliary = Frame.extended(mode: 2, flags: 0x01, fields: Frame.address)
        let coded = Frame.extended(mode: 0, flags: 0x01, fields: Frame.address, codingIndicator: 1)
        let records = [
            withRadioHeader(good, flags: 0x0C03), withRadioHeader(good, flags: 0x0C01),
            withRadioHeader(good, flags: 0x0C03, power: 127), withRadioHeader(good, flags: 0x0403),
            withRadioHeader(good, flags: 0x0003), withRadioHeader(bad, flags: 0x0003),
            withRadioHeader(good, flags: 0x0C02), withRadioHeader(auxiliary, flags: 0x3C83),
            withRadioHeader(coded, flags: 0x8C83), withRadioHeader([], flags: 0x0C03),
            Array(withRadioHeader([], flags: 0).dropLast()),
        ]
        #expect(
            try contents(256, records) == [
                "legacy 3 random \(address) -61", "legacy 3 random \(address) -",
                "legacy 3 random \(address) -", "skipped: bad CRC", "legacy 3 random \(address) -61",
                "skipped: bad CRC", "skipped: whitened frame", "extended 10 random \(address) -61",
                "extended 0 random \(address) -61", "skipped: malformed packet", "skipped: malformed packet",
            ])
    }

    @Test("an anonymous advertisement has no address, where the capture tells it from the rest of a chain")
    func anonymous() throws {
        let frame = Frame.extended(mode: 0, flags: 0x08, fields: [1, 0x10])
        let records = [0x0C83, 0x1C83, 0x0C03].map { withRadioHeader(frame, flags: $0) }
        let skipped = "skipped: no advertisement"
        #expect(try contents(256, records) == ["extended 0 random - -61", skipped, skipped])
        #expect(
            try contents(
                272,
                [
                    nordic(frame, version: 3, channel: 10), nordic(frame, version: 3, flags: 1 | 1 << 1, channel: 10),
                    nordic(frame, version: 3, channel: 37),
                ]) == ["extended 0 random - -61", skipped, skipped])
        #expect(try contents(251, [frame]) == [skipped])
    }

    /// Nordic's serial protocol in its four versions.
    private func nordic(
        _ frame: [UInt8], version: UInt8, packetType: UInt8? = nil, flags: UInt8 = 1, channel: UInt8 = 37,
        level: UInt8 = 61
    ) -> [UInt8] {
        let radio: [UInt8] = [flags, channel, level, 0, 0, 1, 2, 3, 4]
        let event = (version == 0 ? [] : [10]) + radio + frame
        let type = packetType ?? (version == 3 ? 2 : 6)
        let counter: [UInt8] = [7, 0]
        switch version {
        case 0: return [0xBE, 0xEF, type] + counter + [0, 0, UInt8(event.count)] + event
        case 1: return [0, 6, UInt8(event.count), 1] + counter + [type] + event
        default: return [0, UInt8(event.count), 0, version] + counter + [type] + event
        }
    }

    @Test("the versions of Nordic's header are read", arguments: 0...3)
    func nordicVersions(version: Int) throws {
        let version = UInt8(version)
        let frame = Frame.legacy(2)
        let records = [
            nordic(frame, version: version), nordic(frame, version: version, flags: 0),
            nordic(frame, version: version, packetType: 1), nordic(frame, version: version, level: 200),
            nordic([], version: version), Array(nordic(frame, version: version)[..<9]), [0, 6, 0, 1],
        ]
        #expect(
            try contents(272, records) == [
                "legacy 3 random \(address) -61", "skipped: bad CRC", "skipped: metadata",
                "legacy 3 random \(address) -128", "skipped: malformed packet", "skipped: malformed packet",
                "skipped: malformed packet",
            ])
    }

    @Test("Nordic's auxiliary frames are read")
    func nordicAuxiliaryFrames() throws {
        let auxiliary = Frame.extended(mode: 2, flags: 0x01, fields: Frame.address)
        let coded = Frame.extended(mode: 0, flags: 0x01, fields: Frame.address, codingIndicator: 0)
        let records = [
            nordic(auxiliary, version: 3, flags: 1 | 3 << 1, channel: 10),
            nordic(auxiliary, version: 3, flags: 1, channel: 10),
            nordic(coded, version: 3, flags: 1 | 2 << 4, channel: 10),
        ]
        #expect(
            try contents(272, records) == [
                "extended 10 random \(address) -61", "extended 2 random \(address) -61",
                "extended 0 random \(address) -61",
            ])
    }
}
