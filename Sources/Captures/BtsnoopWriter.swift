package import Beacon
import HCI

/// Writes a btsnoop file (version 1, datalink 1002) that `btmon -r` and Wireshark read.
///
/// Packets are collected in a buffer of 64 KiB and written as whole records. `flush` writes them at once. Call `finish`
/// at the end: the deinitialiser also writes the rest, but it cannot report an error. An existing file keeps what is in
/// it until there is a packet or `finish`: nothing is lost where nothing could be listened to.
package struct BtsnoopWriter: ~Copyable, Sendable {
    private static let bufferCapacity = 64 * 1024

    /// Packets that were lost so far, by the transport or because the disk was full. Every record carries this number.
    package var cumulativeDrops: UInt32 = 0

    // A constant does not compile with Swift 6.2, because the initialiser calls a method that changes `self`.
    private var descriptor: FileDescriptor
    private var buffer: [UInt8] = []
    private var hasPackets = false
    private var isEmptied = false

    /// Creates a file or replaces an existing one; `-` is standard output.
    package init(path: String) throws(CaptureError) {
        self.init(try FileDescriptor(creating: path))
    }

    /// Writes to a descriptor of the caller, who closes it after the writer is gone.
    ///
    /// - Parameter path: the name to use in messages.
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
        guard hasPackets else { return }
        if !isEmptied { descriptor.empty() }
        // An error cannot be reported from here.
        var written = 0
        try? Self.write(buffer, to: descriptor, from: &written)
    }

    /// Appends one packet.
    ///
    /// - Parameter packet: an H4 packet, its type octet first.
    /// - Throws: when the file cannot be written, for example because the disk is full. The packet then counts as
    ///   dropped. The buffer keeps its content, and a later call tries again.
    package mutating func write(
        _ packet: RawSpan, fromController: Bool, at time: Timestamp
    ) throws(CaptureError) {
        hasPackets = true
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

    /// Writes the content of the buffer.
    package mutating func flush() throws(CaptureError) {
        if !isEmptied {
            descriptor.empty()
            isEmptied = true
        }
        var written = 0
        // Removes what was written even if the rest fails, so that the next call continues there.
        defer { buffer.removeFirst(written) }
        try Self.write(buffer, to: descriptor, from: &written)
    }

    /// Writes the rest at the end. The file closes when the writer goes out of scope.
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
