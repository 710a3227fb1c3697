public import Beacon

/// How much a decoder has read, for the last line of a listing and for metrics.
public struct DecodingCounts: Hashable, Sendable {
    public var packets = 0
    public var reports = 0
    public var iBeacons = 0
    /// Events and payloads whose inner lengths are inconsistent. Their readable part was used.
    public var malformed = 0

    package init() {}

    package static func += (left: inout Self, right: Self) {
        left.packets += right.packets
        left.reports += right.reports
        left.iBeacons += right.iBeacons
        left.malformed += right.malformed
    }
}

/// Turns a controller's events into sightings: reports, then AD structures, then iBeacons. It borrows the octets, and
/// allocates only to join payloads that come in pieces.
public struct SightingDecoder: Sendable {
    /// How much it has read so far.
    public var counts: DecodingCounts { passed }
    @usableFromInline var passed = DecodingCounts()
    /// A number for the receiver that the next events are from. Only pieces from the same receiver are joined: a
    /// capture may hold the same advertisement from several adapters.
    package var receiver: UInt32 = 0
    private var assembler = FragmentAssembler()
    private var batteries = ReportedBatteries()
    /// Whether any sender has reported its battery.
    @usableFromInline var hasBatteries = false
    /// Whether a payload is incomplete. Only then can a report that announces no further piece be the last piece of
    /// one.
    @usableFromInline var hasOpenPayload = false

    package init() {}

    /// Reads one H4 packet, type octet first. Everything except an advertising report is counted and skipped.
    @inlinable @inline(__always)
    public mutating func decode(
        packet: RawSpan, at time: Timestamp?, source: SourceID = 0, _ body: (borrowing Sighting) -> Void
    ) {
        guard packet.byteCount > 1, packet.octet(at: 0) == PacketType.event.rawValue else {
            passed.packets &+= 1
            return
        }
        decode(event: packet.extracting(1..<packet.byteCount), at: time, source: source, body)
    }

    /// Reads one event, starting with the event code.
    @inlinable @inline(__always)
    public mutating func decode(
        event: RawSpan, at time: Timestamp?, source: SourceID = 0, _ body: (borrowing Sighting) -> Void
    ) {
        passed.packets &+= 1
        guard var reports = AdvertisingReports(event: event) else { return }
        while let place = reports.nextPlace(in: event) {
            guard var beacon = decode(place, in: event) else {
                if place.isScanResponse(in: event) { noteBattery(place, in: event) }
                continue
            }
            if hasBatteries, beacon.battery == nil { beacon.battery = battery(place, in: event) }
            let report = AdvertisingReport(place, in: event)
            body(
                Sighting(
                    time: time, source: source, address: report.sender, addressType: report.addressType,
                    eventType: report.eventType, rssi: report.rssi, beacon: beacon))
        }
        passed.malformed &+= reports.isMalformed ? 1 : 0
    }

    @inline(never) @usableFromInline
    mutating func noteBattery(_ place: AdvertisingReport.Place, in event: RawSpan) {
        let report = AdvertisingReport(place, in: event)
        guard let sender = report.sender else { return }
        guard let level = BatteryLevel.first(in: event.extracting(report.data)) else { return }
        batteries.note(level, of: sender)
        hasBatteries = true
    }

    @inline(never) @usableFromInline
    func battery(_ place: AdvertisingReport.Place, in event: RawSpan) -> UInt8? {
        AdvertisingReport(place, in: event).sender.flatMap { batteries[$0] }
    }

    /// Only an extended report can hold a part of a payload.
    @inlinable @inline(__always)
    mutating func decode(_ place: AdvertisingReport.Place, in event: RawSpan) -> IBeacon? {
        if place.isExtended {
            let report = AdvertisingReport(place, in: event)
            if hasOpenPayload || report.dataStatus == .moreToCome { return decode(report, in: event) }
        }
        passed.reports &+= 1
        return decode(payload: event.extracting(place.data))
    }

    /// The iBeacon of one report, joined with the earlier pieces of its payload.
    @inline(never)
    public mutating func decode(_ report: AdvertisingReport, in event: RawSpan) -> IBeacon? {
        passed.reports += 1
        let payload = event.extracting(report.data)
        if assembler.isWhole(report, from: receiver) {
            return decode(payload: payload)
        }
        let whole = assembler.assemble(report, payload, from: receiver)
        hasOpenPayload = assembler.hasOpen
        return whole.flatMap { decode(payload: $0.span.bytes) }
    }

    /// The iBeacon of a payload that came without HCI (link-layer captures).
    @inlinable @inline(__always)
    public mutating func decode(payload: RawSpan) -> IBeacon? {
        var structures = ADStructures()
        guard let beacon = IBeacon.first(in: payload, walking: &structures) else {
            passed.malformed &+= structures.isMalformed ? 1 : 0
            return nil
        }
        passed.iBeacons &+= 1
        return beacon
    }

    /// Counts a packet that is not an HCI event: a link-layer frame or a row of a table.
    package mutating func countPacket(hasReport: Bool = false, isMalformed: Bool = false) {
        passed.packets += 1
        passed.reports += hasReport ? 1 : 0
        passed.malformed += isMalformed ? 1 : 0
    }

    /// Counts a sighting that was already decoded (observation CSV).
    package mutating func countDecodedSighting() {
        passed.packets += 1
        passed.reports += 1
        passed.iBeacons += 1
    }
}
