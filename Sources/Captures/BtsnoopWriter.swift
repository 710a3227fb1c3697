package import Beacon
import HCI

/// Writes a btsnoop file (version 1) that `btmon -r` and Wireshark read: of one controller (datalink 1002), or of
/// several (2001, as btmon writes it).
///
/// Packets are collected in a buffer of 64 KiB and written as whole records. `flush` writes them at once. Call `finish`
/// at the end: the deinitialiser also writes the rest, but it cannot report an error. An existing file keeps its
/// content until the first packet or `finish`, so that a source which cannot be opened does not cost an earlier
/// recording.
package struct BtsnoopWriter: ~Copyable, Sendable {
    private static let bufferCapacity = 64 * 1024

    /// Packets that were lost so far, by the transport or because the disk was full. Every record carries this number.
    package var cumulativeDrops: UInt32 = 0

    // Constants do not compile with Swift 6.2, because the initialiser calls a method that changes `self`.
    private var descriptor: FileDescriptor
    private var isMonitor: Bool
    private var buffer: [UInt8] = []
    private var hasPackets = false
    private var isEmptied = false

    /// Creates a file or replaces an existing one; `-` is standard output.
    ///
    /// - Parameter isMonitor: whether each packet has the number of its adapter.
    package init(path: String, isMonitor: Bool = false) throws(CaptureError) {
        self.init(try FileDescriptor(creating: path), isMonitor: isMonitor)
    }

    /// Writes to a descriptor of the caller, who closes it after the writer is gone.
    ///
    /// - Parameter path: the name to use in messages.
    package init(descriptor: Int32, path: String) {
        self.init(FileDescriptor(borrowing: descriptor, path: path), isMonitor: false)
    }

    private init(_ descriptor: consuming FileDescriptor, isMonitor: Bool) {
        self.descriptor = descriptor
        self.isMonitor = isMonitor
        buffer.reserveCapacity(Self.bufferCapacity)
        begin()
    }

    private mutating func begin() {
        buffer.removeAll(keepingCapacity: true)
        buffer += BtsnoopRecords.magic
        append(1, octets: 4)
        append(UInt64((isMonitor ? BtsnoopDatalink.monitor : .h4).rawValue), octets: 4)
    }

    /// Gives each packet the number of its adapter, which is possible as long as nothing was written.
    ///
    /// - Returns: whether packets have that number.
    package mutating func keepAdapters() -> Bool {
        if !isMonitor, !hasPackets, !isEmptied {
            isMonitor = true
            begin()
        }
        return isMonitor
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
    /// - Parameters:
    ///   - packet: an H4 packet, its type octet first. A monitor's file has no place for other types than HCI's.
    ///   - adapter: written into a monitor's file only.
    /// - Throws: when the file cannot be written, for example because the disk is full. The packet then counts as
    ///   dropped. The buffer keeps its content, and a later call tries again.
    package mutating func write(
        _ packet: RawSpan, fromController: Bool, at time: Timestamp, adapter: UInt16 = 0
    ) throws(CaptureError) {
        let type = packet.byteCount > 0 ? PacketType(rawValue: packet.octet(at: 0)) : .event
        var flags = UInt64(fromController ? 1 : 0) | (type == .command || type == .event ? 2 : 0)
        var start = 0
        if isMonitor {
            guard let opcode = MonitorOpcode(type, fromController: fromController) else { return }
            flags = UInt64(adapter) << 16 | UInt64(opcode.rawValue)
            start = min(1, packet.byteCount)
        }
        let length = packet.byteCount - start
        hasPackets = true
        let extent = BtsnoopRecords.recordHeadLength + length
        if !buffer.isEmpty, buffer.count + extent > Self.bufferCapacity {
            do throws(CaptureError) {
                try flush()
            } catch {
                cumulativeDrops &+= 1
                throw error
            }
        }
        append(UInt64(length), octets: 4)
        append(UInt64(length), octets: 4)
        append(flags, octets: 4)
        append(UInt64(cumulativeDrops), octets: 4)
        append(UInt64(bitPattern: time.microseconds &+ BtsnoopRecords.unixEpoch), octets: 8)
        packet.withUnsafeBytes { buffer.append(contentsOf: $0.dropFirst(start)) }
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
