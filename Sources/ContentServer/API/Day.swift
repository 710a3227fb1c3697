import Beacon

/// A day such as `2026-05-01`, in UTC.
struct Day: Hashable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01.
    let number: Int64

    init(number: Int64) {
        self.number = number
    }

    /// Nil for anything else.
    init?(_ text: String) {
        let octets = Array(text.utf8)
        guard octets.count == 10, octets[4] == UInt8(ascii: "-"), octets[7] == UInt8(ascii: "-") else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let number = CivilDate(year: year, month: month, day: day).dayNumber
        // The 31st of a shorter month is none.
        guard CivilDate(dayNumber: number).day == day else { return nil }
        self.number = number
    }

    var description: String {
        let date = CivilDate(dayNumber: number)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(date.year)
        return String(repeating: "0", count: max(0, 4 - year.count)) + "\(year)-\(two(date.month))-\(two(date.day))"
    }
}
