/// The one buffer for a whole capture, however long it is.
///
/// Holds a part of the file. A record that crosses the end of the buffer is moved to the front before more is read.
struct CaptureBuffer: ~Copyable, @unchecked Sendable {
    /// More than twice the length of the longest HCI packet (64 KiB and a header).
    static let capacity = 256 * 1024

    /// How much is read at once. The rest of the buffer uses no memory until a record needs it.
    private static let stretch = 64 * 1024

    // Only this value owns the memory, and it cannot be copied: that makes it safe to send.
    private let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    private var start = 0
    private var end = 0
    private let descriptor: FileDescriptor
    private var isAtEnd = false

    /// The position of the first unread byte in the file.
    private(set) var offset: UInt64 = 0

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        storage.deallocate()
    }

    /// Bytes that were read and not yet consumed.
    @inline(__always)
    var count: Int { end - start }

    /// Whether little is left here and more would need waiting. Cheap while much is left.
    @inline(__always)
    var isRunningDry: Bool { end - start < 4096 && !isAtEnd && descriptor.wouldWait }

    /// The bytes that were read and not yet consumed. Valid until the next call that changes the buffer.
    @inline(__always)
    var unread: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: storage[start..<end])
    }

    /// Reads until `wanted` bytes are there. Returns false if the file ends before.
    @inline(__always)
    mutating func has(_ wanted: Int) throws(CaptureError) -> Bool {
        if end - start >= wanted { return true }
        return try fill(wanted)
    }

    private mutating func fill(_ wanted: Int) throws(CaptureError) -> Bool {
        guard wanted <= Self.capacity else { return false }
        if start > 0 {
            storage.copyMemory(from: unread)
            end -= start
            start = 0
        }
        while end < wanted, !isAtEnd {
            let limit = min(Self.capacity, max(wanted, end + Self.stretch))
            let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: storage[end..<limit]))
            isAtEnd = count == 0
            end += count
        }
        return end >= wanted
    }

    /// Whether the header of a record is there; false at the end of the file.
    ///
    /// - Throws: if the file ends within it.
    @inline(__always)
    mutating func hasHead(_ length: Int) throws(CaptureError) -> Bool {
        guard try has(length) else {
            guard count > 0 else { return false }
            throw error(.truncated, "the file ends within a record's head")
        }
        return true
    }

    /// Reads the rest of a record that claims so many octets after its header. Returns its length with the header.
    ///
    /// - Throws: if the file ends within it, or if it is longer than any packet.
    @inline(__always)
    mutating func wholeRecord(head: Int, claiming length: Int) throws(CaptureError) -> Int {
        let extent = head + length
        guard extent <= Self.capacity else {
            throw error(.damaged, "a record claims \(length) octets, more than any packet has")
        }
        guard try has(extent) else {
            throw error(.truncated, "the file ends within a record, \(extent - count) octets before its end")
        }
        return extent
    }

    /// Consumes bytes that were read.
    @inline(__always)
    mutating func consume(_ count: Int) {
        let step = min(count, end - start)
        start += step
        offset += UInt64(step)
    }

    /// Consumes any number of bytes. Returns false if the file ends before.
    mutating func skip(_ count: UInt64) throws(CaptureError) -> Bool {
        var rest = count
        while rest > 0 {
            guard try has(1) else { return false }
            let step = Int(min(rest, UInt64(self.count)))
            consume(step)
            rest -= UInt64(step)
        }
        return true
    }

    /// An error at a position in the file, by default at the first unread byte.
    func error(
        _ code: CaptureError.Code, _ detail: String, at offset: UInt64? = nil, line: Int? = nil
    ) -> CaptureError {
        CaptureError(code, path: descriptor.path, offset: offset ?? self.offset, line: line, detail: detail)
    }

    /// An error of the file as a whole.
    func error(ofFile code: CaptureError.Code, _ detail: String) -> CaptureError {
        CaptureError(code, path: descriptor.path, detail: detail)
    }
}
