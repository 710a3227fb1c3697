import Beacon

/// Reads values from text that stays borrowed.
extension RawSpan {
    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    var string: String {
        withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// A decimal number with an optional sign. Accepts a fraction of zeros, which tables often have.
    func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        var position = 0
        var isNegative = false
        if byteCount > 0, octet(at: 0) == UInt8(ascii: "-") || octet(at: 0) == UInt8(ascii: "+") {
            isNegative = octet(at: 0) == UInt8(ascii: "-")
            position = 1
        }
        let digits = position
        var value = 0
        while position < byteCount, let digit = decimalDigit(at: position), value < 1_000_000_000 {
            value = value * 10 + Int(digit)
            position += 1
        }
        guard position > digits else { return nil }
        if position < byteCount {
            guard octet(at: position) == UInt8(ascii: ".") else { return nil }
            for offset in position + 1..<byteCount where octet(at: offset) != UInt8(ascii: "0") { return nil }
        }
        return Value(exactly: isNegative ? -value : value)
    }

    func decimalDigit(at offset: Int) -> UInt8? {
        let digit = octet(at: offset) &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    /// Without blanks and tabs at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isBlank(at: first) { range = first + 1..<range.upperBound }
        while let last = range.last, isBlank(at: last) { range = range.lowerBound..<last }
        return range
    }

    private func isBlank(at offset: Int) -> Bool {
        octet(at: offset) == UInt8(ascii: " ") || octet(at: offset) == UInt8(ascii: "\t")
    }
}

extension Timestamp {
    /// Seconds since 1970 with an optional sign and fraction, exact to the microsecond; further digits are cut off.
    init?(secondsText text: RawSpan) {
        var position = 0
        let isNegative = text.byteCount > 0 && text.octet(at: 0) == UInt8(ascii: "-")
        if isNegative { position = 1 }
        let digits = position
        var value: Int64 = 0
        while position < text.byteCount, let digit = text.decimalDigit(at: position) {
            // Twelve digits are enough beyond the year 30000.
            guard position - digits < 12 else { return nil }
            value = value * 10 + Int64(digit)
            position += 1
        }
        guard position > digits else { return nil }
        var remaining = 6
        if position < text.byteCount {
            guard text.octet(at: position) == UInt8(ascii: "."), position + 1 < text.byteCount else { return nil }
            for offset in position + 1..<text.byteCount {
                guard let digit = text.decimalDigit(at: offset) else { return nil }
                if remaining > 0 {
                    value = value * 10 + Int64(digit)
                    remaining -= 1
                }
            }
        }
        for _ in 0..<remaining { value *= 10 }
        self.init(microseconds: isNegative ? -value : value)
    }
}
