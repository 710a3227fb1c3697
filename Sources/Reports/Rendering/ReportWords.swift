import Beacon
import Text

// Wording that all formats for people share.

extension HistoryReport {
    /// What people call each beacon.
    func labels(mark: String = "…") -> BeaconLabels {
        var names: [BeaconID: String] = [:]
        for beacon in beacons { names[beacon.id] = beacon.name }
        for problem in health { names[problem.beacon] = problem.name }
        return BeaconLabels(beacons.map(\.id) + health.map(\.beacon), names: names, mark: mark)
    }

    /// A sentence with the UUID that the labels leave out; nil if every beacon has a name, or if there are several
    /// UUIDs.
    func sharedIdentity(_ labels: BeaconLabels) -> String? {
        guard beacons.contains(where: { $0.name == nil }), let uuid = labels.sharedUUID else { return nil }
        return "All beacons have the UUID \(uuid.uppercased)."
    }

    /// Identity and name of a beacon that the report may not contain.
    static func fullLabel(_ id: BeaconID, _ name: String?) -> String {
        name.map(printable) ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
    }

    var title: String {
        sources.isEmpty ? "Ranging report" : "Ranging report of \(sources.joined(separator: ", "))"
    }

    /// The start, end and length of the report; nil if it has no span.
    func spanText(_ localTime: LocalTime) -> String? {
        span.map { span in
            let isShort = span.seconds < 600
            let (first, last) = (localTime.zone(at: span.lowerBound), localTime.zone(at: span.upperBound))
            return localTime.text(span.lowerBound, seconds: isShort) + (first == last ? "" : " \(first)") + " to "
                + "\(localTime.text(span.upperBound, seconds: isShort)) \(last), \(Words.span(span.seconds))"
        }
    }

    /// The time zone of the report.
    func zone(_ localTime: LocalTime) -> String { span.map { localTime.zone(at: $0.upperBound) } ?? "UTC" }

    /// Whether the report covers only a time before the history begins, of which nothing is known.
    var isBeforeHistory: Bool {
        guard let historyBegins, let span else { return false }
        return historyBegins >= span.upperBound
    }

    /// A sentence saying that nothing was received, where and when.
    func nothing(_ localTime: LocalTime) -> String {
        if isBeforeHistory, let historyBegins, let end = span?.upperBound {
            return Words.unknown("the time until \(localTime.text(end))", historyBegins, localTime)
        }
        return (isFiltered
            ? "None of these beacons was heard" : withoutTime > 0 ? "No iBeacon has a time" : "No iBeacon was heard")
            + (sources.isEmpty ? "" : " in \(sources.joined(separator: ", "))")
            + (spanText(localTime).map { " from \($0)" } ?? "") + "."
    }

    /// The beacons that people are shown.
    var listed: ArraySlice<BeaconHistory> { beacons.prefix(Words.mostBeacons) }

    /// What the report leaves out, one sentence each.
    var warnings: [String] {
        var lines = Words.unlisted(beacons.count).map { [$0] } ?? []
        if withoutTime > 0 { lines.append("\(withoutTime) sightings had no time and are not in the report.") }
        if dropped > 0 { lines.append("\(dropped) sightings of too many beacons are not in the report.") }
        return lines
    }
}

enum Words {
    /// The most lines of a list that could have any number, on a terminal.
    static let longestList = 15

    /// Follows such a list.
    static func leftOut(_ count: Int) -> String { "and \(count) more, which the other formats have" }

    /// The most beacons that a text or a page lists. A recording may have thousands, forged or not.
    static let mostBeacons = 500

    /// A sentence about the beacons that are not listed; nil if all are.
    static func unlisted(_ beacons: Int) -> String? {
        unlisted(beacons - mostBeacons, "beacon with a shorter dwell is", "beacons with a shorter dwell are")
    }

    /// A sentence about a time before the history begins.
    static func unknown(_ time: String, _ historyBegins: Timestamp, _ localTime: LocalTime) -> String {
        "Nothing is known of \(time): the history begins later, at \(localTime.text(historyBegins)) "
            + "\(localTime.zone(at: historyBegins))."
    }

    /// A sentence about the entries that are not listed; nil if all are.
    ///
    /// - Parameters:
    ///   - rest: the number of entries that are not listed.
    ///   - one: the word for one entry, with its verb: "room is".
    ///   - many: the same for several entries: "rooms are".
    ///   - formats: the formats that have all entries, with their verb.
    static func unlisted(
        _ rest: Int, _ one: String, _ many: String, in formats: String = "CSV and JSON have"
    ) -> String? {
        guard rest > 0 else { return nil }
        return "\(grouped(rest)) \(rest == 1 ? one : many) not listed; \(formats) \(rest == 1 ? "it" : "them")."
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Groups of three digits, with a narrow space in print (ISO 80000-1). Four digits stay together.
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

    /// A percentage with two significant digits, so that small shares remain different.
    static func share(_ share: Double?) -> String {
        guard let percent = share.map({ $0 * 100 }) else { return "-" }
        if percent > 0, percent < 0.1 { return "<0.1 %" }
        if percent > 99.5, percent < 100 { return ">99 %" }
        return fixed(percent, digits: percent > 0 && percent < 9.95 ? 1 : 0) + " %"
    }

    static func metres(_ metres: Double) -> String {
        fixed(metres, digits: metres < 9.95 ? 1 : 0)
    }
}
