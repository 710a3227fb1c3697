import Beacon
import CLinux
import Captures
import Glibc
import HCI

extension FuzzTarget {
    /// One target for each container, with the container's own seeds and words.
    static let captures = [
        capture("btsnoop", words: ["btsnoop\0\0\0\0\u{1}\0\0\u{3}"]),
        capture("pcap"),
        capture("pcapng"),
        capture("hcidump", words: ["> 04 3E ", "< 01 ", "\n  ", "HCI sniffer - Bluetooth packet analyzer ver 5.66\n"]),
        capture(
            "observations",
            words: [
                "time", "scanner", "uuid", "major", "minor", "measured_power", "rssi", "address", "address_type",
                "event_type", "random", "public", "\"\"", "2026-01-01T00:00:00Z",
            ]),
    ]

    private static func capture(_ format: String, words: [String] = []) -> FuzzTarget {
        FuzzTarget("capture-\(format)", words: words) {
            try committedSeeds("capture-\(format)")
        } check: { bytes in
            let whole = try reading([bytes], inPieces: false)
            let cut = try reading(pieces(of: bytes), inPieces: true)
            try require(whole == cut, "a pipe gives \(cut), a file gives \(whole)")
            try require(whole.records.count <= bytes.count, "more records than bytes")
            try checkRecording(of: whole.records)
        }
    }
}

/// What one reading of a capture delivered.
private struct Reading: Equatable {
    var records: [Record] = []
    var scannerNames: [String] = []
    var refusal: String?
}

private struct Record: Equatable {
    var time: Timestamp?
    var adapter: UInt16
    var offset: UInt64
    var line: Int
    var content: String
    /// The H4 packet, if it is one.
    var packet: [UInt8]?
    var isFromController = false

    init(_ record: borrowing CapturedRecord, _ bytes: RawSpan) {
        time = record.time
        adapter = record.adapter
        offset = record.offset
        line = record.line
        content = "\(record.content)"
        if case .hci(let type, let fromController) = record.content {
            packet = [type.rawValue] + bytes.withUnsafeBytes { Array($0) }
            isFromController = fromController
        }
    }
}

private func reading(_ pieces: [[UInt8]], inPieces: Bool) throws -> Reading {
    let descriptor = inPieces ? try descriptor(of: pieces) : try descriptor(ofFile: pieces[0])
    defer { close(descriptor) }
    var reading = Reading()
    let none: Void? = try refusing {
        var reader = try CaptureReader(descriptor: descriptor, path: "capture")
        try requireShown(reader.format.description)
        var isInside = true
        let ended: Void? = try refusing {
            while try reader.next({ record, bytes in
                if case .advertisement(let received) = record.content {
                    isInside = isInside && received.data.upperBound <= bytes.byteCount
                }
                reading.records.append(Record(record, bytes))
            }) {}
        }
        reading.refusal = ended == nil ? "while reading" : nil
        reading.scannerNames = reader.scannerNames
        try require(isInside, "an advertisement beyond the bytes of its record")
        try require(
            reader.recordCount == reading.records.count, "records are counted differently than they are passed on")
        let again = try reader.next { _, _ in }
        try require(!again, "a record after the end")
    }
    if none == nil { reading.refusal = "at the head" }
    return reading
}

/// What is recorded of packets is read as the same packets.
private func checkRecording(of records: [Record]) throws {
    let file = try descriptor(ofFile: [])
    defer { close(file) }
    var packets: [[UInt8]] = []
    var writer = BtsnoopWriter(descriptor: file, path: "recording")
    for record in records {
        guard let packet = record.packet, let time = record.time, packet.count > 1 else { continue }
        try writer.write(packet.span.bytes, fromController: record.isFromController, at: time)
        packets.append(packet)
    }
    try writer.finish()
    guard !packets.isEmpty else { return }
    lseek(file, 0, SEEK_SET)
    var read: [[UInt8]?] = []
    var reader = try CaptureReader(descriptor: file, path: "recording")
    while try reader.next({ record, bytes in read.append(Record(record, bytes).packet) }) {}
    try require(read == packets, "a recording has other packets than were written")
}

/// A file in memory, positioned at its start.
private func descriptor(ofFile bytes: [UInt8]) throws -> Int32 {
    let descriptor = clinux_memory_file("fuzz")
    try require(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count, "no file for the input")
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
}

/// A descriptor from which every read gets one of the pieces, however much it asks for: a packet socket keeps them
/// apart, as a slow pipe would.
private func descriptor(of pieces: [[UInt8]]) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    try require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0, "no socket for the input")
    defer { close(ends[1]) }
    for piece in pieces {
        try require(send(ends[1], piece, piece.count, Int32(MSG_DONTWAIT)) == piece.count, "a full socket")
    }
    return ends[0]
}
