import Beacon
import HCI
import TestSupport

private let beacon = bytes("1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5")
private let legacyReport = bytes("3E 27 02 01 03 01 C4 65 2B 23 7F E9 1B") + beacon + [0xB3]
private let extendedReport =
    bytes("3E 35 0D 01 13 00 01 C4 65 2B 23 7F E9 01 00 FF 7F B3 00 00 00 00 00 00 00 00 00 1B") + beacon
private let events = [
    legacyReport, extendedReport, bytes("0E 04 01 03 0C 00"), bytes("0F 04 00 01 0C 20"),
    bytes("0E 0C 01 03 20 00 FF 10 00 00 00 00 00 00"), bytes("05 04 00 01 00 13"),
    bytes("3E 0C 02 01 03 01 C4 65 2B 23 7F E9 00 B3"),
    // Two pieces of one payload: incomplete, then complete.
    bytes("3E 24 0D 01 20 00 01 C4 65 2B 23 7F E9 01 00 03 7F B3 00 00 00 00 00 00 00 00 00 0A") + beacon.prefix(10),
    bytes("3E 2B 0D 01 00 00 01 C4 65 2B 23 7F E9 01 00 03 7F B3 00 00 00 00 00 00 00 00 00 11") + beacon.dropFirst(10),
]

extension FuzzTarget {
    /// AD structures and the iBeacon in them.
    static let advertisingPayload = FuzzTarget("advertising-payload", longestInput: 1700) {
        [beacon, bytes("02 01 06") + beacon, bytes("03 02 0F 18 09 09 4B 69 74 63 68 65 6E 31 00 00"), []]
    } check: { payload in
        var structures = ADStructures()
        var end = 0
        while let structure = structures.next(in: payload.span.bytes) {
            try require(structure.data.lowerBound == end + 2, "a structure does not follow the one before it")
            try require(structure.data.upperBound <= payload.count, "a structure beyond the payload")
            end = structure.data.upperBound
        }
        guard let found = IBeacon.first(in: payload.span.bytes) else { return }
        let written = found.advertisingData()
        try require(IBeacon.first(in: written.span.bytes) == found, "an iBeacon that is not read as it is written")
        try require(BeaconID(found.id.description) == found.id, "an identity that is not read as it is shown")
    }

    /// A sequence of events, each with a length before it, through everything that reads events.
    static let hciEvent = FuzzTarget("hci-event") {
        events.map { [UInt8($0.count)] + $0 } + [events.flatMap { [UInt8($0.count)] + $0 }]
    } check: { input in
        var decoder = SightingDecoder()
        var rest = input[...]
        var sightings = 0
        var octets = 0
        while let length = rest.popFirst() {
            let event = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            octets += event.count
            try checkAnswer(event)
            try checkReports(event)
            decoder.decode(event: event.span.bytes, at: nil) { _ in sightings += 1 }
        }
        try require(
            decoder.counts.iBeacons == sightings, "iBeacons that are counted differently than they are passed on")
        try require(sightings <= decoder.counts.reports, "more sightings than reports")
        // The shortest report has ten octets.
        try require(decoder.counts.reports <= octets / 10, "more reports than the events have room for")
    }

    /// The octets of a serial line, whole and in pieces.
    static let h4Stream = FuzzTarget("h4-stream") {
        events.map { [4] + $0 } + [events.flatMap { [4] + $0 }, bytes("AA 04 BB 3E 04") + [4] + legacyReport]
    } check: { stream in
        let whole = packets([stream])
        let used = whole.packets.reduce(whole.skipped) { $0 + $1.count }
        try require(used <= stream.count, "octets are used twice")
        try require(stream.count - used <= 258, "more octets wait than a packet can have")
        try require(
            whole.packets.allSatisfy { $0.count >= 3 && $0.count == 3 + Int($0[2]) }, "a packet of a wrong length")
        let cut = packets(pieces(of: stream))
        try require(cut.packets == whole.packets, "pieces give other packets than the whole stream")
        try require(cut.skipped == whole.skipped, "pieces skip other octets than the whole stream")
    }
}

private func packets(_ pieces: [[UInt8]]) -> (packets: [[UInt8]], skipped: Int) {
    var framer = H4Framer()
    var packets: [[UInt8]] = []
    for piece in pieces {
        framer.append(piece.span.bytes) { packet in packets.append(packet.withUnsafeBytes { Array($0) }) }
    }
    return (packets, framer.skippedOctets)
}

private func checkAnswer(_ event: [UInt8]) throws {
    guard let answer = CommandAnswer(event: event.span.bytes) else { return }
    try require(answer.returnParameters.count <= event.count, "return parameters beyond the event")
    _ = LEFeatures(returnParameters: answer.returnParameters)
    if let address = DeviceAddress(returnParameters: answer.returnParameters) {
        try require(DeviceAddress(address.description) == address, "an address that is not read as it is shown")
    }
    try requireShown(answer.opcode.description)
    try requireShown(answer.status.description)
}

private func checkReports(_ event: [UInt8]) throws {
    guard var reports = AdvertisingReports(event: event.span.bytes) else { return }
    while let report = reports.next(in: event.span.bytes) {
        try require(report.data.upperBound <= event.count, "a payload beyond the event")
    }
}
