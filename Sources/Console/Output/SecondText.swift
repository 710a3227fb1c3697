import Beacon

/// Date and time up to the second as text. It is made again only when the second changes: the calendar is slow, and
/// times come in order.
struct SecondText {
    /// `2026-01-01T00:00:00.`
    static let length = 20

    /// The text: 8, 8 and 4 bytes, the first in the lowest byte.
    private(set) var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// Seconds since 1970.
    private var second: Int64 = 0

    init() {
        renew(for: Timestamp(microseconds: 0))
    }

    /// Makes the text of this time's second. Returns the microseconds within it.
    @inline(__always)
    mutating func update(for time: Timestamp) -> UInt32 {
        // Rounded down. Wrapping: the first second that can be written begins before the first microsecond.
        let quotient = time.microseconds / 1_000_000
        let second = quotient &* 1_000_000 > time.microseconds ? quotient &- 1 : quotient
        if second != self.second {
            self.second = second
            renew(for: time)
        }
        return UInt32(truncatingIfNeeded: time.microseconds &- second &* 1_000_000)
    }

    private mutating func renew(for time: Timestamp) {
        var text: [UInt8] = []
        time.appendRFC3339(to: &text)
        text += [0, 0, 0, 0]
        let bytes = text.span.bytes
        words = (bytes.littleEndian64(at: 0), bytes.littleEndian64(at: 8), bytes.littleEndian64(at: 16))
    }
}
