import Beacon

/// Standard output, collected in one block of memory. The block is written when it is full or flushed.
///
/// Made for millions of lines: `reserve` checks the space once per line, and `put` does not check it.
struct OutputBuffer: ~Copyable {
    private static let capacity = 1 << 16
    /// The most bytes that one `reserve` can ask for.
    static let longestReservation = 1 << 15

    private let base: UnsafeMutablePointer<UInt8>
    private var count = 0
    private let isCollected: Bool
    private var collected: [UInt8] = []

    /// - Parameter isCollected: `taken` gives what would be written.
    init(isCollected: Bool = false) {
        self.isCollected = isCollected
        base = .allocate(capacity: Self.capacity + MemoryLayout<UInt64>.size)
    }

    deinit {
        base.deallocate()
    }

    /// Makes space for the `put` calls that follow, up to `octets` bytes in all.
    @inline(__always)
    mutating func reserve(_ octets: Int) {
        precondition(octets <= Self.longestReservation)
        if count + octets > Self.capacity { flush() }
    }

    @inline(__always)
    mutating func put(_ octet: UInt8) {
        base[count] = octet
        count &+= 1
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        (base + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func put(_ octets: UnsafeBufferPointer<UInt8>) {
        guard let start = octets.baseAddress else { return }
        (base + count).update(from: start, count: octets.count)
        count &+= octets.count
    }

    @inline(__always)
    mutating func put(_ octets: borrowing [UInt8], _ range: Range<Int>) {
        let destination = base + count
        octets.span.extracting(range).withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            destination.update(from: start, count: source.count)
        }
        count &+= range.count
    }

    /// Writes the first `length` bytes of a word, from its lowest: at most 8. The bytes after them are overwritten
    /// later.
    @inline(__always)
    mutating func put(_ word: UInt64, length: Int) {
        UnsafeMutableRawPointer(base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count &+= length
    }

    @inline(__always)
    mutating func put(decimal value: Int) {
        var rest = value.magnitude
        if value < 0 { put(UInt8(ascii: "-")) }
        var digits = 1
        var bound: UInt = 10
        while rest >= bound, digits < 19 {
            bound &*= 10
            digits &+= 1
        }
        var position = count &+ digits
        count = position
        repeat {
            position &-= 1
            base[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// Writes text of any length.
    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { octets in
            var rest = octets[...]
            while !rest.isEmpty {
                let part = rest.prefix(Self.longestReservation)
                reserve(part.count)
                put(UnsafeBufferPointer(rebasing: part))
                rest = rest.dropFirst(part.count)
            }
        }
    }

    /// The bytes collected since the last call.
    mutating func taken() -> [UInt8] {
        flush()
        defer { collected = [] }
        return collected
    }

    mutating func flush() {
        guard !isCollected else {
            collected += UnsafeBufferPointer(start: base, count: count)
            count = 0
            return
        }
        StandardOutput.write(UnsafeRawBufferPointer(start: base, count: count))
        count = 0
    }
}
