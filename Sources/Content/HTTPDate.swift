/// Reading the `Retry-After` field (RFC 9110, 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// - Parameter now: seconds since 1970, to which a date is compared.
    package static func duration(_ text: String, now: Double) -> Duration? {
        if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 1_000_000)) }
        guard let date = httpDate(text) else { return nil }
        return .seconds(min(max(Double(date) - now, 0), 1_000_000))
    }
}

/// An IMF-fixdate (RFC 9110, 5.6.7) such as `Sun, 06 Nov 1994 08:49:37 GMT`, in seconds since 1970. The two
/// obsolete forms are not read: a missing hint only means the usual pause.
package func httpDate(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), (1...31).contains(day),
        let month = months.firstIndex(of: parts[2]), let year = Int64(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2]) else {
        return nil
    }
    return days(year: year, month: Int64(month) + 1, day: day) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
}

private let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

/// Days from 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is their last.
private func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
}
