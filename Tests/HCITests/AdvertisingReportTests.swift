import Beacon
import HCI
import TestSupport
import Testing

private let frame = "1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5"
private let beacon = IBeacon(
    id: BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 2), measuredPower: -59
)

/// An extended report with its head, as it stands in an event.
private func extended(
    _ data: [UInt8], type: UInt16 = 0x0013, sid: UInt8 = 0xFF, address: UInt8 = 1, rssi: Int8 = -60
) -> [UInt8] {
    var report: [UInt8] = []
    report.append(littleEndian: type)
    report += [1, address, 2, 3, 4, 5, 0xC6, 1, 0, sid, 0x7F, UInt8(bitPattern: rssi), 0, 0]
    report += [UInt8](repeating: 0, count: 7) + [UInt8(data.count)]
    return report + data
}

private func event(_ subevent: UInt8, _ reports: [[UInt8]]) -> [UInt8] {
    let parameters = [subevent, UInt8(reports.count)] + reports.flatMap { $0 }
    return [0x3E, UInt8(parameters.count)] + parameters
}

private func sightings(_ events: [[UInt8]], _ decoder: inout SightingDecoder) -> [Sighting] {
    var found: [Sighting] = []
    for event in events {
        decoder.decode(event: event.span.bytes, at: nil) { found.append(copy $0) }
    }
    return found
}

@Suite("Advertising reports")
struct AdvertisingReportTests {
    @Test("a legacy report gives its address, type, level and beacon")
    func legacy() throws {
        var decoder = SightingDecoder()
        let found = sightings([bytes("3E 27 02 01 03 01 C4 65 2B 23 7F E9 1B \(frame) B3")], &decoder)
        let sighting = try #require(found.first)
        #expect(found.count == 1)
        #expect(sighting.address?.description == "e9:7f:23:2b:65:c4")
        #expect(sighting.addressType == .random)
        #expect(sighting.eventType == 3)
        #expect(sighting.rssi == -77)
        #expect(sighting.beacon == beacon)
    }

    @Test("several reports in one event are read one after another, each with its own level")
    func several() {
        var decoder = SightingDecoder()
        let other = "03 01 B6 B5 B4 B3 B2 C1 03 02 01 06 BA"
        let found = sightings(
            [
                bytes(
                    "3E 59 02 03 03 01 A6 A5 A4 A3 A2 C1 1B \(frame) BA \(other) 04 00 11 12 13 14 15 16 1B \(frame) 7F"
                )
            ],
            &decoder)
        #expect(found.map(\.rssi) == [-70, nil])
        #expect(found.map(\.eventType) == [3, 4])
        #expect(decoder.counts.reports == 3)
        #expect(decoder.counts.malformed == 0)
    }

    @Test("an extended report gives its address, type, set and level, with or without a payload", arguments: [0, 27])
    func extendedFields(_ length: Int) {
        let event = event(0x0D, [extended(Array(bytes(frame).prefix(length)), sid: 5, address: 0xB5)])
        // `#require` cannot take borrowed bytes.
        guard var reports = AdvertisingReports(event: event.span.bytes) else {
            Issue.record("the event has no reports")
            return
        }
        let report = reports.next(in: event.span.bytes)
        #expect(report?.isExtended == true)
        #expect(report?.eventType == 0x13)
        #expect(report?.addressType == .random)
        #expect(report?.address.description == "c6:05:04:03:02:b5")
        #expect(report?.advertisingSID == 5)
        #expect(report?.rssi == -60)
        #expect(report?.data.count == length)
        let next = reports.next(in: event.span.bytes)
        #expect(next == nil)
        #expect(!reports.isMalformed)
    }

    /// Core Specification Vol 4, Part E, 7.7.65.13: address type FF.
    @Test("an anonymous advertiser has no address")
    func anonymous() throws {
        var decoder = SightingDecoder()
        var report = extended(bytes(frame), type: 0)
        report[2] = 0xFF
        let sighting = try #require(sightings([event(0x0D, [report])], &decoder).first)
        #expect(sighting.address == nil)
        #expect(sighting.beacon == beacon)
    }

    @Test("a legacy report belongs to no set")
    func noSet() {
        let event = bytes("3E 0C 02 01 04 00 C4 65 2B 23 7F E9 00 B3")
        var reports = AdvertisingReports(event: event.span.bytes)
        let report = reports?.next(in: event.span.bytes)
        #expect(report?.advertisingSID == 0xFF)
        #expect(report?.addressType == .public)
        #expect(report?.rssi == -77)
        #expect(report?.data.isEmpty == true)
        #expect(reports?.isMalformed == false)
    }

    @Test(
        "an event that promises more than it holds is counted as malformed",
        arguments: [
            // Cut off behind the number of reports.
            ("3E 27 02 01", 1), ("3E 02 02 01", 1), ("3E 02 0D 01", 1),
            // One octet of the head is missing, and one behind the payload.
            ("3E 0A 02 01 03 01 C4 65 2B 23 7F E9", 1), ("3E 0B 02 01 03 01 C4 65 2B 23 7F E9 00", 1),
            // No report is promised.
            ("3E 02 02 00", 0), ("3E 02 0D 00", 0),
            // The event ends before the number of reports: what follows is not part of it.
            ("3E 01 02 01", 0),
        ])
    func promises(_ hex: String, _ malformed: Int) {
        var decoder = SightingDecoder()
        #expect(sightings([bytes(hex)], &decoder).isEmpty)
        #expect(decoder.counts.packets == 1)
        #expect(decoder.counts.reports == 0)
        #expect(decoder.counts.malformed == malformed)
    }

    @Test("127 is no level")
    func noLevel() {
        var decoder = SightingDecoder()
        let found = sightings([event(0x0D, [extended(bytes(frame), rssi: 127)])], &decoder)
        #expect(found.map(\.rssi) == [nil])
    }

    @Test("the reports before a truncated one are still read", arguments: [1, 5, 20, 36])
    func truncated(_ missing: Int) {
        var decoder = SightingDecoder()
        let whole = bytes("3E 4C 02 02 03 01 A6 A5 A4 A3 A2 C1 1B \(frame) BA 03 01 B6 B5 B4 B3 B2 C1 1B \(frame) BA")
        let found = sightings([Array(whole.dropLast(missing))], &decoder)
        #expect(found.count == 1)
        #expect(decoder.counts.malformed == 1)
    }

    @Test(
        "other events and subevents are counted and passed over",
        arguments: ["0E 04 01 03 0C 00", "3E 02 0A 00", "05 00", "3E 01 02", ""])
    func others(_ hex: String) {
        var decoder = SightingDecoder()
        #expect(sightings([bytes(hex)], &decoder).isEmpty)
        #expect(decoder.counts.packets == 1)
        #expect(decoder.counts.reports == 0)
    }

    @Test("no event traps")
    func fuzz() {
        var random = SeededGenerator(seed: 3)
        var decoder = SightingDecoder()
        let good = [
            event(0x0D, [extended(bytes(frame)), extended(bytes(frame), type: 0x20)]),
            bytes("3E 27 02 01 03 01 C4 65 2B 23 7F E9 1B \(frame) B3"),
        ]
        for _ in 0..<20_000 {
            var event = good[Int.random(in: 0..<good.count, using: &random)]
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                event[Int.random(in: 0..<event.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            event = Array(event.prefix(.random(in: 0...event.count, using: &random)))
            _ = sightings([event], &decoder)
        }
        #expect(decoder.counts.packets == 20_000)
    }
}

@Suite("Extended payloads in pieces")
struct FragmentTests {
    private let first = Array(bytes(frame).prefix(10))
    private let second = Array(bytes(frame).dropFirst(10))
    /// Data status 01 in bits 5 and 6.
    private let more: UInt16 = 0x20

    @Test("are joined by address and set")
    func joined() {
        var decoder = SightingDecoder()
        let found = sightings(
            [event(0x0D, [extended(first, type: more, sid: 1)]), event(0x0D, [extended(second, type: 0, sid: 1)])],
            &decoder)
        #expect(found.map(\.beacon) == [beacon])
    }

    @Test("of different senders and sets do not mix, in any order")
    func interleaved() {
        var decoder = SightingDecoder()
        let found = sightings(
            [
                event(0x0D, [extended(first, type: more, sid: 1, address: 1)]),
                event(0x0D, [extended(first, type: more, sid: 2, address: 1)]),
                event(0x0D, [extended(first, type: more, sid: 1, address: 9)]),
                event(
                    0x0D,
                    [extended(second, type: 0, sid: 1, address: 9), extended(second, type: 0, sid: 2, address: 1)]),
                event(0x0D, [extended(second, type: 0, sid: 1, address: 1)]),
            ], &decoder)
        #expect(found.map(\.beacon) == [beacon, beacon, beacon])
    }

    @Test("of different receivers do not mix, although the sender is the same")
    func receivers() {
        var decoder = SightingDecoder()
        var found: [Sighting] = []
        for (piece, type) in [(first, more), (second, 0)] {
            let event = event(0x0D, [extended(piece, type: type, sid: 1)])
            for receiver in [0, 1] as [UInt32] {
                decoder.receiver = receiver
                decoder.decode(event: event.span.bytes, at: nil) { found.append(copy $0) }
            }
        }
        #expect(found.map(\.beacon) == [beacon, beacon])
        #expect(decoder.counts.malformed == 0)
    }

    @Test("begin anew with the next advertisement where the last one's rest was lost")
    func lost() {
        var decoder = SightingDecoder()
        let begin = event(0x0D, [extended(first, type: more, sid: 1)])
        let end = event(0x0D, [extended(second, type: 0, sid: 1)])
        #expect(sightings([begin, begin, end, begin, begin, begin, end], &decoder).map(\.beacon) == [beacon, beacon])
        #expect(decoder.counts.malformed == 0)
    }

    @Test("that the controller cut are read as far as they go")
    func cut() {
        var decoder = SightingDecoder()
        let found = sightings(
            [
                event(0x0D, [extended(bytes(frame), type: more, sid: 1)]),
                event(0x0D, [extended([0x30, 0x09], type: 0x40, sid: 1)]),
            ], &decoder)
        #expect(found.map(\.beacon) == [beacon])
    }

    /// A piece of an extended payload as its report tells it.
    private func piece(_ status: UInt16, sid: UInt8 = 1, address: UInt64 = 1) -> AdvertisingReport? {
        let event = event(0x0D, [extended([], type: status, sid: sid)])
        var reports = AdvertisingReports(event: event.span.bytes)
        var report = reports?.next(in: event.span.bytes)
        report?.address = DeviceAddress(address)
        return report
    }

    @Test(
        "never finished take bounded room, and the oldest give way",
        arguments: [(0, 1), (1, 1), (2, 2), (nil, 64)] as [(Int?, Int)])
    func bounded(_ capacity: Int?, _ room: Int) throws {
        var assembler = capacity.map { FragmentAssembler(capacity: $0) } ?? FragmentAssembler()
        for address in 0...UInt64(room) {
            #expect(assembler.discarded == 0)
            let report = try #require(piece(more, address: address))
            let whole = assembler.assemble(report, first.span.bytes)
            #expect(whole == nil)
        }
        #expect(assembler.discarded == 1)
        // The first has given way, the last is still there.
        let (oldest, newest) = (try #require(piece(0, address: 0)), try #require(piece(0, address: UInt64(room))))
        #expect(assembler.isWhole(oldest))
        #expect(!assembler.isWhole(newest))
        let whole = assembler.assemble(newest, second.span.bytes)
        #expect(whole == bytes(frame))
    }

    @Test(
        "are continued only by a report of the same set, and other whole reports are not pieces",
        arguments: [(0, 1, false), (0, 2, true), (0x40, 1, false), (0x40, 2, true), (0x20, 1, false), (0x20, 2, false)]
            as [(UInt16, UInt8, Bool)])
    func whole(_ status: UInt16, _ sid: UInt8, _ isWhole: Bool) throws {
        var assembler = FragmentAssembler()
        let (open, next) = (try #require(piece(more, sid: 1)), try #require(piece(status, sid: sid)))
        let nothing = assembler.assemble(open, first.span.bytes)
        #expect(nothing == nil)
        #expect(assembler.isWhole(next) == isWhole)
    }

    @Test("that begin anew are counted as lost, and pieces without payload are not")
    func begunAnew() throws {
        var assembler = FragmentAssembler()
        let (begin, end) = (try #require(piece(more)), try #require(piece(0)))
        for (data, discarded) in [([], 0), ([], 0), (first, 0), ([], 0), (first, 1), (first, 2)] as [([UInt8], Int)] {
            let whole = assembler.assemble(begin, data.span.bytes)
            #expect(whole == nil)
            #expect(assembler.discarded == discarded)
        }
        let whole = assembler.assemble(end, second.span.bytes)
        #expect(whole == bytes(frame) && assembler.discarded == 2)
    }

    /// Vol 6, Part B, 2.3.4.9.
    @Test("can be 1,650 octets long, and no longer", arguments: [(1649, true), (1650, true), (1651, false)])
    func longest(_ length: Int, _ isTaken: Bool) throws {
        let payload = [UInt8](repeating: 7, count: length)
        var assembler = FragmentAssembler()
        let (begin, end) = (try #require(piece(more)), try #require(piece(0)))
        let nothing = assembler.assemble(begin, payload.span.bytes.extracting(0..<1500))
        #expect(nothing == nil)
        let whole = assembler.assemble(end, payload.span.bytes.extracting(1500..<length))
        #expect(whole == (isTaken ? payload : nil))
        #expect(assembler.discarded == (isTaken ? 0 : 1))
    }

    @Test("longer than any advertisement are given up")
    func tooLong() {
        var decoder = SightingDecoder()
        let pieces = (0..<1000).map { number in
            event(0x0D, [extended([UInt8](repeating: UInt8(number % 251), count: 200), type: more, sid: 1)])
        }
        let found = sightings(pieces, &decoder)
        #expect(found.isEmpty)
        let after = sightings([event(0x0D, [extended(bytes(frame), sid: 2)])], &decoder)
        #expect(after.count == 1)
    }
}
