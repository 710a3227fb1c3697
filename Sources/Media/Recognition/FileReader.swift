import Glibc
import Platform

/// Reads a file at any position, through a window in memory.
struct FileReader {
    let count: Int64
    /// Nil for octets in memory: the window then holds all of them.
    private let descriptor: OwnedDescriptor?
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0

    private static let windowSize = 1 << 16

    init(_ descriptor: OwnedDescriptor, count: Int64) {
        self.descriptor = descriptor
        self.count = count
    }

    init(_ octets: [UInt8]) {
        descriptor = nil
        window = octets
        count = Int64(octets.count)
    }

    /// - Throws: `.damaged` if the file ends before.
    mutating func octets(at offset: Int64, _ length: Int) throws(MediaError) -> ArraySlice<UInt8> {
        guard offset >= 0, length >= 0, length <= Self.windowSize, offset <= count - Int64(length) else {
            throw MediaError(damaged: "it ends too early")
        }
        if offset < windowStart || offset + Int64(length) > windowStart + Int64(window.count) {
            try fill(at: offset)
        }
        let start = Int(offset - windowStart)
        guard start + length <= window.count else { throw MediaError(damaged: "it ends too early") }
        return window[start..<start + length]
    }

    mutating func octet(at offset: Int64) throws(MediaError) -> UInt8 {
        let octets = try octets(at: offset, 1)
        return octets[octets.startIndex]
    }

    /// A big-endian number.
    mutating func big(at offset: Int64, _ length: Int) throws(MediaError) -> UInt64 {
        try octets(at: offset, length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A little-endian number.
    mutating func little(at offset: Int64, _ length: Int) throws(MediaError) -> UInt64 {
        try octets(at: offset, length).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The position of the next octet with this value; nil if there is none.
    mutating func next(_ octet: UInt8, from offset: Int64) throws(MediaError) -> Int64? {
        var place = offset
        while place < count {
            // Only to the end of the window. Otherwise each step in a file with many matches would read a new window.
            let left = windowStart + Int64(window.count) - place
            let reach = place >= windowStart && left > 0 ? left : Int64(Self.windowSize)
            let part = try octets(at: place, Int(min(reach, Int64(Self.windowSize), count - place)))
            let found = part.withUnsafeBytes { bytes -> Int? in
                guard let start = bytes.baseAddress, let found = memchr(start, Int32(octet), bytes.count) else {
                    return nil
                }
                return UnsafeRawPointer(found) - start
            }
            if let found { return place + Int64(found) }
            place += Int64(part.count)
        }
        return nil
    }

    private mutating func fill(at offset: Int64) throws(MediaError) {
        guard let descriptor else { throw MediaError(damaged: "it ends too early") }
        let room = Int(min(Int64(Self.windowSize), count - offset))
        var bytes = [UInt8](repeating: 0, count: room)
        let length = pread(descriptor.number, &bytes, room, off_t(offset))
        guard length >= 0 else { throw MediaError(SystemFailure(), path: "uploads") }
        window = length == room ? bytes : Array(bytes[..<length])
        windowStart = offset
    }
}
