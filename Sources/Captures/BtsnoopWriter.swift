package import Beacon
import HCI

/// Writes a btsnoop file (version 1, datalink 1002) that `btmon -r` and Wireshark read.
///
/// Packets gather in a buffer of 64 KiB and leave it as whole records; `flush` writes them out at once. Call `finish`
/// at the end: what a writer still holds when it goes out of scope is written too, but nobody hears of a failure.
package struct BtsnoopWriter: ~Copyable, Sendable {
    private static let bufferCapacity = 64 * 1024

    /// Packets that were lost since the beginning, by the transport or because the disk was full. Every record
    /// carries the number so far.
    package var cumulativeDrops: UInt32 = 0

    private let descriptor: FileDescriptor
    private var buffer: [UInt8] = []

    /// Creates a file, or empties the one that is there; `-` is standard output.
    package init(path: String) throws(CaptureError) {
        self.init(try FileDescriptor(creating: path))
    }

    /// Writes to a descriptor of the caller's, who closes it after the writer is gone.
    ///
    /// - Parameter path: how to call it in messages.
    package init(descriptor: Int32, path: String) {
        self.init(FileDescriptor(borrowing: descriptor, path: path))
    }

    private init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
        buffer.reserveCapacity(Self.bufferCapacity)
        buffer += BtsnoopRecords.magic
        append(1, octets: 4)
        append(UInt64(BtsnoopDatalink.h4.rawValue), octets: 4)
    }

    deinit {
        // Nobody is left to tell of an error.
        var written = 0
        try? Self.write(buffer, to: descriptor, from: &written)
    }

    /// Appends one packet.
    ///
    /// - Parameter packet: an H4 packet, its type octet first.
    /// - Throws: when the file cannot be written, for instance because the disk is full. The packet then counts as
    ///   dropped, what the buffer holds stays there, and a later call tries again.
    package mutating func write(
        _ packet: RawSpan, fromController: Bool, at time: Timestamp
    ) throws(CaptureError) {
        let extent = BtsnoopRecords.recordHeadLength + packet.byteCount
        if !buffer.isEmpty, buffer.count + extent > Self.bufferCapacity {
            do throws(CaptureError) {
                try flush()
            } catch {
                cumulativeDrops &+= 1
                throw error
            }
        }
        let type = packet.byteCount > 0 ? PacketType(rawValue: packet.octet(at: 0)) : .event
        let isCommandOrEvent = type == .command || type == .event
        append(UInt64(packet.byteCount), octets: 4)
        append(UInt64(packet.byteCount), octets: 4)
        append((fromController ? 1 : 0) | (isCommandOrEvent ? 2 : 0), octets: 4)
        append(UInt64(cumulativeDrops), octets: 4)
        append(UInt64(bitPattern: time.microseconds &+ BtsnoopRecords.unixEpoch), octets: 8)
        packet.withUnsafeBytes { buffer.append(contentsOf: $0) }
    }

    /// Writes out what the buffer holds.
    package mutating func flush() throws(CaptureError) {
        var written = 0
        // What was written leaves the buffer even where the rest fails, so that a repeated call goes on there.
        defer { buffer.removeFirst(written) }
        try Self.write(buffer, to: descriptor, from: &written)
    }

    /// Writes out the rest, at the end. The file closes when the writer goes out of scope.
    package mutating func finish() throws(CaptureError) {
        try flush()
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: borrowing FileDescriptor, from position: inout Int
    ) throws(CaptureError) {
        while position < bytes.count {
            position += try descriptor.write(bytes.span.bytes.extracting(position..<bytes.count))
        }
    }

    private mutating func append(_ value: UInt64, octets: Int) {
        for shift in stride(from: 8 * (octets - 1), through: 0, by: -8) {
            buffer.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
