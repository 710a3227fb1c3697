/// Date and time as text, RFC 3339, without a calendar library: UTC and the proleptic Gregorian calendar need none.
extension Timestamp {
    /// Writes `2026-01-01T00:00:00.000000Z` (27 octets) at the end of a buffer.
    package func appendRFC3339(to output: inout [UInt8]) {
        let day = microseconds.floorDivided(by: 86_400_000_000)
        // Wrapping: the first day that can be written begins before the first microsecond.
        var rest = UInt64(bitPattern: microseconds &- day &* 86_400_000_000)
        let (year, month, dayOfMonth) = Self.civil(fromDay: day)
        func append(_ value: UInt64, digits: Int) {
            var divisor: UInt64 = 1
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                output.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
                divisor /= 10
            }
        }
        append(UInt64(max(0, min(9999, year))), digits: 4)
        output.append(UInt8(ascii: "-"))
        append(UInt64(month), digits: 2)
        output.append(UInt8(ascii: "-"))
        append(UInt64(dayOfMonth), digits: 2)
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

    /// Reads RFC 3339 (`2026-01-01T00:00:00.5+01:00`, a space instead of the T is taken too), or nil.
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
        let days = Self.day(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        microseconds = seconds * 1_000_000 + fraction
    }

    /// Days since 1970-01-01 of a date. Years are counted from March, so that the leap day comes last.
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
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

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
