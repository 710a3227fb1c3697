import Beacon
package import Curation

/// Days as dates in UTC: `2026-11-22`.
package enum CivilDay {
    /// The most days of one page.
    package static let most: Int64 = 3660

    /// Days since 1970.
    package static func number(of moment: Moment) -> Int64 {
        number(of: String(moment.description.prefix(10))) ?? 0
    }

    /// Nil for anything but a date.
    package static func number(of text: String?) -> Int64? { text.flatMap { Day($0) }?.number }

    package static func text(of number: Int64) -> String { Day(number: number).description }
}
