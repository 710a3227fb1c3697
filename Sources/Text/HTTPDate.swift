package import Beacon

/// Dates in the fields of HTTP: an IMF-fixdate such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The text for the second that a time lies in.
    package static func text(_ time: Timestamp) -> String {
        let seconds = time.microseconds.floorDivided(by: 1_000_000)
        let day = seconds.floorDivided(by: 86_400)
        let date = CivilDate(dayNumber: day)
        let second = seconds - day * 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(weekdays[date.weekday]), \(two(date.day)) \(months[Int(date.month) - 1]) \(date.year) "
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    /// Seconds since 1970, or nil for anything else. The two obsolete forms of a date are not read.
    package static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
        return date.dayNumber * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
