import Beacon
import Console

// What all forms for people say in the same words.

extension BeaconHistory {
    /// Its name, or its identity where it has none.
    var label: String { Self.label(id, name) }

    static func label(_ id: BeaconID, _ name: String?) -> String {
        name.map { printable($0) } ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
    }
}

extension HistoryReport {
    /// What the reader calls each beacon.
    var labels: [BeaconID: String] {
        Dictionary(beacons.map { ($0.id, $0.label) }, uniquingKeysWith: { first, _ in first })
    }

    var title: String {
        sources.isEmpty ? "Ranging report" : "Ranging report of \(sources.joined(separator: ", "))"
    }

    /// From, to and how long that is; nil where there is nothing.
    func spanText(_ localTime: LocalTime) -> String? {
        span.map { span in
            let isShort = span.seconds < 600
            let zone = localTime.parts(of: span.upperBound).zone
            return "\(localTime.text(span.lowerBound, seconds: isShort)) to "
                + "\(localTime.text(span.upperBound, seconds: isShort)) \(zone), \(Words.span(span.seconds))"
        }
    }

    /// What is not in the report, a sentence each.
    var warnings: [String] {
        var lines: [String] = []
        if withoutTime > 0 { lines.append("\(withoutTime) sightings had no time and are not in the report.") }
        if dropped > 0 { lines.append("\(dropped) sightings of too many beacons are not in the report.") }
        return lines
    }
}

/// Text cut to a width in characters.
func shortened(_ text: String, _ width: Int, mark: String = "…") -> String {
    text.count <= width ? text : text.prefix(width - 1) + mark
}

enum Words {
    static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Thousands apart by a narrow space in print, as ISO 80000-1 has it; four digits stay together.
    static func grouped(_ number: Int, separator: String = " ") -> String {
        let digits = String(number.magnitude)
        guard digits.count > 4 else { return "\(number)" }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += separator }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: fixed(seconds, digits: seconds < 10 ? 1 : 0) + " s"
        case ..<7200: fixed(seconds / 60, digits: seconds < 600 ? 1 : 0) + " min"
        case ..<172_800: fixed(seconds / 3600, digits: 1) + " h"
        default: fixed(seconds / 86_400, digits: 1) + " d"
        }
    }

    static func share(_ share: Double?) -> String {
        share.map { $0 > 0 && $0 < 0.01 ? "<1 %" : fixed($0 * 100, digits: 0) + " %" } ?? "-"
    }

    static func metres(_ metres: Double) -> String {
        fixed(metres, digits: metres < 9.95 ? 1 : 0)
    }
}
