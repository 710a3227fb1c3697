package import Beacon

/// A time as people write it for a report: `24h`, `90m` or `7d` before now; a moment in RFC 3339; or `all` for the time
/// of the first record.
package enum ReportMoment: Sendable, Hashable {
    case ago(seconds: Double)
    case at(Timestamp)
    case all

    /// Nil if the text is none of these.
    package init?(_ text: String) {
        if text == "all" {
            self = .all
        } else if let time = Timestamp(rfc3339: text) {
            self = .at(time)
        } else {
            let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
            guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()),
                number > 0, number * unit <= 1e9
            else { return nil }
            self = .ago(seconds: number * unit)
        }
    }

    /// The time that this moment stands for; nil for `all`.
    package func time(before now: Timestamp) -> Timestamp? {
        switch self {
        case .ago(let seconds): now.advanced(bySeconds: -seconds)
        case .at(let time): time
        case .all: nil
        }
    }

    /// The accepted forms, for messages.
    package static let forms = "90m, 24h, 7d, a time as in 2026-11-21T08:00:00Z, or all"
}
