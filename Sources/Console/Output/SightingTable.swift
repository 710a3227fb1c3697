import Beacon
import Text

/// Sightings in columns for people. On a narrow terminal the date is left out first, then the least important columns.
struct SightingTable: Sendable {
    private let layout: TextTable.Layout
    private let hasDay: Bool
    private let terminal = Terminal(isTerminal: false)

    init(sources: [String], limit: Int?) {
        let widest = min(20, max(6, sources.map(displayWidth).max() ?? 0))
        let source = limit == nil ? 0 : widest
        // The widths of all columns and gaps, without the source column.
        hasDay = limit.map { $0 >= 127 + widest } ?? true
        // The UUID is shown whole as long as the other columns stay readable.
        let isWide = limit.map { $0 >= 63 } ?? true
        let table = TextTable([
            .init("TIME", reserved: hasDay ? 27 : 13, rank: 2), .init("RSSI", isNumber: true, reserved: 4),
            .init("UUID", least: isWide ? 36 : 9, reserved: 36), .init("MAJOR", isNumber: true, reserved: 5),
            .init("MINOR", isNumber: true, reserved: 5), .init("POWER", isNumber: true, reserved: 5, rank: 3),
            .init("ADDRESS", reserved: 17, rank: 5), .init("TYPE", reserved: 6, rank: 6),
            .init("EVENT", reserved: 6, rank: 7),
            .init("SOURCE", least: 6, most: limit == nil ? .max : 20, reserved: source, rank: 4),
        ])
        layout = table.layout(limit: limit)
    }

    var heading: String { layout.heading(terminal) }

    func line(_ sighting: borrowing Sighting, _ source: String) -> String {
        let beacon = sighting.beacon
        let time = sighting.time?.rfc3339
        return layout.line(
            [
                .init(time.map { hasDay ? $0 : "\($0.dropFirst(11).prefix(12))Z" } ?? "-"),
                .init(sighting.rssi.map { "\($0)" } ?? "-"), .init(beacon.id.uuid.uppercased),
                .init("\(beacon.id.major)"), .init("\(beacon.id.minor)"), .init("\(beacon.measuredPower)"),
                .init(sighting.address?.description ?? "-"),
                .init(sighting.address == nil ? "-" : sighting.addressType.isRandom ? "random" : "public"),
                .init(sighting.eventType.map { $0 > 9 ? "0x" + String($0, radix: 16) : String($0) } ?? "-"),
                .init(source),
            ], terminal)
    }
}
