import Beacon

/// A compact binary form: about one byte for each number between the lowest and the highest.
///
/// Variable-length numbers (LEB128, as in DWARF 5, section 7.6). The lowest number comes first, with its sign in the
/// lowest bit, then the counts. A 0 starts a run of zeros; the number of further zeros follows. An empty histogram has
/// no bytes.
extension Histogram {
    /// The histogram in that form.
    package var encoded: [UInt8] {
        guard !isEmpty else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(counts.count + 4)
        bytes.appendVariable(UInt64(lowest < 0 ? -2 * lowest - 1 : 2 * lowest))
        var zeros: UInt64 = 0
        for count in counts {
            if count == 0 {
                zeros += 1
                continue
            }
            if zeros > 0 {
                bytes.append(0)
                bytes.appendVariable(zeros - 1)
                zeros = 0
            }
            bytes.appendVariable(UInt64(count))
        }
        return bytes
    }

    /// Reads what `encoded` wrote; nil for anything else.
    package init?(encoded bytes: RawSpan) {
        self.init()
        guard !bytes.isEmpty else { return }
        var position = 0
        guard let first = Self.variable(bytes, &position), first <= 4096 else { return nil }
        let start = first & 1 == 1 ? -Int((first + 1) / 2) : Int(first / 2)
        var number = start
        var dense: [UInt32] = []
        dense.reserveCapacity(bytes.byteCount)
        while position < bytes.byteCount {
            guard let count = Self.variable(bytes, &position), Self.range.contains(number) else { return nil }
            if count == 0 {
                // The counts neither begin nor end with zeros.
                guard !dense.isEmpty, let more = Self.variable(bytes, &position), more < 4096,
                    position < bytes.byteCount
                else { return nil }
                dense.append(contentsOf: repeatElement(0, count: Int(more) + 1))
                number += Int(more) + 1
            } else {
                guard let count = UInt32(exactly: count) else { return nil }
                dense.append(count)
                number += 1
            }
        }
        guard !dense.isEmpty else { return nil }
        lowest = start
        counts = dense
    }

    /// Nil if the bytes end within a number, or if the number has more than 35 bits.
    private static func variable(_ bytes: RawSpan, _ position: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 35, by: 7) {
            guard position < bytes.byteCount else { return nil }
            let octet = bytes.octet(at: position)
            position += 1
            value |= UInt64(octet & 0x7F) << shift
            if octet < 0x80 { return value }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate mutating func appendVariable(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
