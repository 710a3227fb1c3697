import Beacon
import Curation

/// Days as dates in UTC: `2026-11-22`.
enum CivilDay {
    /// The most days of one page.
    static let most: Int64 = 3660

    /// Days since 1970.
    static func number(of moment: Moment) -> Int64 {
        number(of: String(moment.description.prefix(10))) ?? 0
    }

    /// Nil for anything but a date.
    static func number(of text: String?) -> Int64? {
        guard let text, text.utf8.count == 10, let start = Moment(text + "T00:00:00Z"), let epoch else { return nil }
        return Int64((start.time.seconds(since: epoch.time) / 86_400).rounded(.down))
    }

    static func text(of number: Int64) -> String {
        guard let epoch else { return "" }
        return String(Moment(epoch.time.advanced(bySeconds: Double(number) * 86_400)).description.prefix(10))
    }

    private static let epoch = Moment("1970-01-01T00:00:00Z")
}
