import Beacon
import HCI
import TestSupport
import Testing

@Suite("What a decoder counts")
struct DecodingCountsTests {
    private static let frame = "1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5"
    private static let head = "03 01 C4 65 2B 23 7F E9"
    private static let extendedHead = "01 01 02 03 05 06 C6 01 00 01 7F C4 00 00 00 00 00 00 00 00 00"

    private func counts(packets: Int, reports: Int, iBeacons: Int, malformed: Int) -> DecodingCounts {
        var counts = DecodingCounts()
        counts.packets = packets
        counts.reports = reports
        counts.iBeacons = iBeacons
        counts.malformed = malformed
        return counts
    }

    @Test(
        "of one packet: its reports, its iBeacons, and whether its lengths do not fit",
        arguments: [
            ("04 3E 27 02 01 \(head) 1B \(frame) B3", 1, 1, 0),
            // Flags; nothing; and a name that runs past the end of its payload.
            ("04 3E 0F 02 01 \(head) 03 02 01 06 B3", 1, 0, 0), ("04 3E 0C 02 01 \(head) 00 B3", 1, 0, 0),
            ("04 3E 0F 02 01 \(head) 03 05 09 41 B3", 1, 0, 1),
            ("04 3E 1A 0D 01 00 00 \(extendedHead) 00", 1, 0, 0),
            ("04 3E 35 0D 01 00 00 \(extendedHead) 1B \(frame)", 1, 1, 0),
            // The second of two reports is cut off.
            ("04 3E 28 02 02 \(head) 1B \(frame) B3 03", 1, 1, 1),
            ("04 0E 04 01 03 0C 00", 0, 0, 0), ("04", 0, 0, 0), ("", 0, 0, 0),
            // Only events are read.
            ("02 3E 27 02 01 \(head) 1B \(frame) B3", 0, 0, 0),
        ])
    func packet(_ hex: String, _ reports: Int, _ iBeacons: Int, _ malformed: Int) {
        var decoder = SightingDecoder()
        var found = 0
        decoder.decode(packet: bytes(hex).span.bytes, at: nil) { sighting in
            found += sighting.source == 0 && sighting.time == nil ? 1 : 0
        }
        #expect(decoder.counts == counts(packets: 1, reports: reports, iBeacons: iBeacons, malformed: malformed))
        #expect(found == iBeacons)
    }

    @Test("of a payload in pieces: a report for each piece, and one iBeacon")
    func pieces() {
        let (first, second) = ("1A FF 4C 00 02 15 636F3F8F", "64914BEE95F7D8CC64A863B5 0001 0002 C5")
        var decoder = SightingDecoder()
        let begin = bytes("04 3E 24 0D 01 20 00 \(Self.extendedHead) 0A \(first)")
        decoder.decode(packet: begin.span.bytes, at: nil) { _ in }
        #expect(decoder.counts == counts(packets: 1, reports: 1, iBeacons: 0, malformed: 0))
        let end = bytes("04 3E 2B 0D 01 00 00 \(Self.extendedHead) 11 \(second)")
        decoder.decode(packet: end.span.bytes, at: nil) { _ in }
        #expect(decoder.counts == counts(packets: 2, reports: 2, iBeacons: 1, malformed: 0))
    }

    @Test("of payloads that come without HCI: iBeacons, and those whose lengths do not fit")
    func payloads() {
        var decoder = SightingDecoder()
        for hex in [Self.frame, "02 01 06", "05 09 41", Self.frame] {
            _ = decoder.decode(payload: bytes(hex).span.bytes)
        }
        #expect(decoder.counts == counts(packets: 0, reports: 0, iBeacons: 2, malformed: 1))
    }

    @Test("of what is already decoded: what the caller says that it was")
    func others() {
        var decoder = SightingDecoder()
        decoder.countPacket()
        #expect(decoder.counts == counts(packets: 1, reports: 0, iBeacons: 0, malformed: 0))
        decoder.countPacket(hasReport: true)
        #expect(decoder.counts == counts(packets: 2, reports: 1, iBeacons: 0, malformed: 0))
        decoder.countPacket(isMalformed: true)
        #expect(decoder.counts == counts(packets: 3, reports: 1, iBeacons: 0, malformed: 1))
        decoder.countDecodedSighting()
        #expect(decoder.counts == counts(packets: 4, reports: 2, iBeacons: 1, malformed: 1))
    }

    @Test("adds up over several decoders")
    func sum() {
        var sum = DecodingCounts()
        #expect(sum == counts(packets: 0, reports: 0, iBeacons: 0, malformed: 0))
        sum += counts(packets: 10, reports: 7, iBeacons: 3, malformed: 1)
        sum += counts(packets: 1, reports: 2, iBeacons: 4, malformed: 8)
        #expect(sum == counts(packets: 11, reports: 9, iBeacons: 7, malformed: 9))
    }
}
