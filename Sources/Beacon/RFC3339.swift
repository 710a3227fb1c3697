/// Date and time as text, RFC 3339, without a calendar library: UTC and the proleptic Gregorian calendar need none.
extension Timestamp {
    /// Writes `2026-01-01T00:00:00.000000Z` (27 octets) at the end of a buffer.
    package func appendRFC3339(to output: inout [UInt8]) {
        let day = microseconds.floorDivided(by: 86_400_000_000)
        // Wrapping: the first day that can be written begins before the first microsecond.
        var rest = UInt64(bitPattern: microseconds &- day &* 86_400_000_000)
        let date = CivilDate(dayNumber: day)
        func append(_ value: UInt64, digits: Int) {
            var divisor: UInt64 = 1
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                output.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
                divisor /= 10
            }
        }
        append(UInt64(max(0, min(9999, date.year))), digits: 4)
        output.append(UInt8(ascii: "-"))
        append(UInt64(date.month), digits: 2)
        output.append(UInt8(ascii: "-"))
        append(UInt64(date.day), digits: 2)
        output.append(UInt8(ascii: "T"))
        append(rest / 3_600_000_000, digits: 2)
        rest %= 3_600_000_000
        output.append(UInt8(ascii: ":"))
        append(rest / 60_000_000, digits: 2)
        rest %= 60_000_000
        output.append(UInt8(ascii: ":"))
        append(rest / 1_000_000, digits: 2)
        output.append(UInt8(ascii: "."))
        append(rest % 1_000_000, digits: 6)
        output.append(UInt8(ascii: "Z"))
    }

    /// UTC with six digits of seconds: `2026-01-01T00:00:00.000000Z`.
    package var rfc3339: String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads RFC 3339 (`2026-01-01T00:00:00.5+01:00`; a space instead of the T is accepted). Returns nil for anything
    /// else.
    package init?(rfc3339 text: some StringProtocol) {
        var scanner = DigitScanner(bytes: Array(text.utf8))
        guard let year = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.skip("-"),
            let day = scanner.number(digits: 2), (1...31).contains(day), scanner.skip("Tt "),
            let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
            let minute = scanner.number(digits: 2), minute < 60, scanner.skip(":"),
            let second = scanner.number(digits: 2), second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if scanner.skip(".") {
            guard let read = scanner.fraction() else { return nil }
            fraction = read
        }
        var offset: Int64 = 0
        if !scanner.skip("Zz") {
            let isEast = scanner.skip("+")
            guard isEast || scanner.skip("-"), let hours = scanner.number(digits: 2), hours < 24, scanner.skip(":"),
                let minutes = scanner.number(digits: 2), minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (isEast ? 60 : -60)
        }
        guard scanner.isAtEnd else { return nil }
        let days = CivilDate(year: year, month: month, day: day).dayNumber
        // 31 February would become 3 March.
        guard CivilDate(dayNumber: days).day == day else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        microseconds = seconds * 1_000_000 + fraction
    }
}

/// Reads fixed-width decimal fields from the front of a text.
private struct DigitScanner {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(digits: Int) -> Int64? {
        guard position + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = nextDigit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Microseconds from any number of digits of a second's fraction.
    mutating func fraction() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let digit = nextDigit() {
            if count < 6 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    private mutating func nextDigit() -> Int64? {
        guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else {
            return nil
        }
        position += 1
        return Int64(bytes[position - 1] - UInt8(ascii: "0"))
    }

    mutating func skip(_ anyOf: String) -> Bool {
        guard position < bytes.count, anyOf.utf8.contains(bytes[position]) else { return false }
        position += 1
        return true
    }
}
