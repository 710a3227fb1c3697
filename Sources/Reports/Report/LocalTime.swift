package import Beacon
import Glibc

/// The calendar and time zone in which a report shows its times.
package struct LocalTime: Sendable, Hashable {
    /// A date and a time of day.
    package struct Parts: Sendable, Hashable {
        package var year: Int
        /// From 1.
        package var month: Int
        /// From 1.
        package var day: Int
        package var hour: Int
        package var minute: Int
        package var second: Int
        /// The zone's abbreviation, such as CET.
        package var zone: String
    }

    private let isUTC: Bool

    /// The machine's own time zone (TZ, /etc/localtime; tzset(3)).
    package static let current = LocalTime(isUTC: false)
    package static let utc = LocalTime(isUTC: true)

    /// The date and time of day at a time. A time that the calendar cannot represent becomes the start of 1970.
    package func parts(of time: Timestamp) -> Parts {
        let broken = broken(time)
        return Parts(
            year: Int(broken.tm_year) + 1900, month: Int(broken.tm_mon) + 1, day: Int(broken.tm_mday),
            hour: Int(broken.tm_hour), minute: Int(broken.tm_min), second: min(59, Int(broken.tm_sec)),
            zone: isUTC ? "UTC" : broken.tm_zone.map { String(cString: $0) } ?? "")
    }

    private func broken(_ time: Timestamp) -> tm {
        var seconds = time_t(time.seconds.rounded(.down))
        var broken = tm()
        if (isUTC ? gmtime_r(&seconds, &broken) : localtime_r(&seconds, &broken)) == nil {
            seconds = 0
            gmtime_r(&seconds, &broken)
        }
        return broken
    }

    /// `UTC`, or the zone's offset from it at a time: `+01:00`.
    package func offset(at time: Timestamp) -> String {
        guard !isUTC else { return "UTC" }
        let seconds = Int(broken(time).tm_gmtoff)
        let minutes = Int(seconds.magnitude) / 60
        return (seconds < 0 ? "-" : "+") + Self.two(minutes / 60) + ":" + Self.two(minutes % 60)
    }

    /// The abbreviation of the zone at a time: `CET`, or `UTC-03` if the zone has only a number.
    package func zone(at time: Timestamp) -> String {
        let zone = parts(of: time).zone
        return zone.hasPrefix("+") || zone.hasPrefix("-") ? "UTC" + zone : zone
    }

    /// The time at this second of a day. Days after the end of the month and seconds after the end of the day count as
    /// later days. Nil if the calendar cannot represent the time.
    func time(year: Int, month: Int, day: Int, second: Int = 0) -> Timestamp? {
        var broken = tm()
        broken.tm_year = Int32(clamping: year - 1900)
        broken.tm_mon = Int32(clamping: month - 1)
        broken.tm_mday = Int32(clamping: day)
        broken.tm_hour = Int32(clamping: second / 3600)
        broken.tm_min = Int32(clamping: second / 60 % 60)
        broken.tm_sec = Int32(clamping: second % 60)
        broken.tm_isdst = -1
        errno = 0
        let seconds = isUTC ? timegm(&broken) : mktime(&broken)
        return seconds == -1 && errno != 0 ? nil : Timestamp(seconds: Double(seconds))
    }

    /// `2026-11-21 08:05`, optionally with seconds.
    package func text(_ time: Timestamp, seconds: Bool = false) -> String {
        let parts = parts(of: time)
        return "\(parts.year)-\(Self.two(parts.month))-\(Self.two(parts.day)) " + clock(parts, seconds: seconds)
    }

    /// `08:05`, optionally with seconds.
    package func clock(_ time: Timestamp, seconds: Bool = false) -> String {
        clock(parts(of: time), seconds: seconds)
    }

    private func clock(_ parts: Parts, seconds: Bool) -> String {
        Self.two(parts.hour) + ":" + Self.two(parts.minute) + (seconds ? ":" + Self.two(parts.second) : "")
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
