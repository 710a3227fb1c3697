package import Beacon

/// What went through a decoder, for the last line of a listing and for metrics.
package struct DecodingCounts: Hashable, Sendable {
    package var packets = 0
    package var reports = 0
    package var iBeacons = 0
    /// Events and payloads whose inner lengths do not fit. The readable part of them was used.
    package var malformed = 0

    package init() {}

    package static func += (left: inout Self, right: Self) {
        left.packets += right.packets
        left.reports += right.reports
        left.iBeacons += right.iBeacons
        left.malformed += right.malformed
    }
}

/// Turns a controller's events into sightings: reports, AD structures, iBeacon. Borrows the octets and allocates
/// nothing, except to join payloads that come in pieces.
package struct SightingDecoder: Sendable {
    package private(set) var counts = DecodingCounts()
    private var assembler = FragmentAssembler()

    package init() {}

    /// Reads one H4 packet, type octet first. Everything except an advertising report is counted and skipped.
    @inline(__always)
    package mutating func decode(
        packet: RawSpan, at time: Timestamp?, source: SourceID = 0, _ body: (borrowing Sighting) -> Void
    ) {
        guard packet.byteCount > 1, packet.octet(at: 0) == PacketType.event.rawValue else {
            counts.packets += 1
            return
        }
        decode(event: packet.extracting(1..<packet.byteCount), at: time, source: source, body)
    }

    /// Reads one event, starting with the event code.
    package mutating func decode(
        event: RawSpan, at time: Timestamp?, source: SourceID = 0, _ body: (borrowing Sighting) -> Void
    ) {
        counts.packets += 1
        guard var reports = AdvertisingReports(event: event) else { return }
        while let report = reports.next(in: event) {
            guard let beacon = decode(report, in: event) else { continue }
            body(
                Sighting(
                    time: time, source: source, address: report.address, addressType: report.addressType,
                    eventType: report.eventType, rssi: report.rssi, beacon: beacon))
        }
        counts.malformed += reports.isMalformed ? 1 : 0
    }

    /// The iBeacon of one report, joined with the earlier pieces of its payload.
    package mutating func decode(_ report: AdvertisingReport, in event: RawSpan) -> IBeacon? {
        counts.reports += 1
        let payload = event.extracting(report.data)
        if assembler.isWhole(report) {
            return decode(payload: payload)
        }
        return assembler.assemble(report, payload).flatMap { decode(payload: $0.span.bytes) }
    }

    /// The iBeacon of a payload that came without HCI (link-layer captures).
    package mutating func decode(payload: RawSpan) -> IBeacon? {
        var structures = ADStructures()
        guard let beacon = IBeacon.first(in: payload, walking: &structures) else {
            counts.malformed += structures.isMalformed ? 1 : 0
            return nil
        }
        counts.iBeacons += 1
        return beacon
    }

    /// Counts a packet that is not an HCI event: a link-layer frame or a row of a table.
    package mutating func countPacket(hasReport: Bool = false, isMalformed: Bool = false) {
        counts.packets += 1
        counts.reports += hasReport ? 1 : 0
        counts.malformed += isMalformed ? 1 : 0
    }

    /// Counts a sighting that was already decoded (observation CSV).
    package mutating func countDecodedSighting() {
        counts.packets += 1
        counts.reports += 1
        counts.iBeacons += 1
    }
}
