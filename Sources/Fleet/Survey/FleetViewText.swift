import Beacon
import FleetFormat
import Rooms
package import Text

/// The fleet in the forms of `beaconctl fleet`.
extension FleetView {
    package static let csvHeading =
        "scanner,state,room,floor,x,y,version,revision,blind_since,clock_ms,clock_synchronised,last_heard,lost"

    /// The scanners as rows of CSV. Unknown fields are empty.
    package var csv: [String] { scanners.map { fields($0).joined(separator: ",") } }

    private func fields(_ scanner: Scanner) -> [String] {
        var fields = [csvField(scanner.name), scanner.state.rawValue, csvField(scanner.room ?? ""), text(scanner.floor)]
        fields += scanner.position.map { [fixed($0.x, digits: 2), fixed($0.y, digits: 2)] } ?? ["", ""]
        fields += [csvField(scanner.version ?? ""), text(scanner.revision), scanner.blindSince?.rfc3339 ?? ""]
        fields += [text(scanner.clock), text(scanner.isSynchronised)]
        fields += [scanner.lastHeard.map { rfc3339(second: $0) } ?? "", text(scanner.lost)]
        return fields
    }

    private func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "" }

    /// An object for each scanner, then one for each resolver.
    package var json: [String] { scanners.map(json) + resolvers.map(json) }

    private func json(_ scanner: Scanner) -> String {
        var json = JSONText()
        json.object { json in
            json.value("scanner", scanner.name)
            json.value("state", scanner.state.rawValue)
            json.value("room", scanner.room)
            json.value("floor", scanner.floor)
            json.value("x", scanner.position?.x, digits: 2)
            json.value("y", scanner.position?.y, digits: 2)
            json.value("version", scanner.version)
            json.value("revision", scanner.revision.map { Int($0) })
            json.value("blind_since", scanner.blindSince?.rfc3339)
            json.value("clock_ms", scanner.clock)
            json.truth("clock_synchronised", scanner.isSynchronised)
            json.value("last_heard", scanner.lastHeard.map { rfc3339(second: $0) })
            json.value("lost", scanner.lost)
        }
        return json.text
    }

    private func json(_ resolver: Resolver) -> String {
        var json = JSONText()
        json.object { json in
            json.value("resolver", resolver.name)
            json.value("state", resolver.presence.state.rawValue)
            if let shard = resolver.presence.shard { json.value("part", shard.description) }
            json.value("time", resolver.second.map { rfc3339(second: $0) })
        }
        return json.text
    }

    /// For people: a table of the scanners, and one of the resolvers.
    package func lines(_ terminal: Terminal) -> [String] {
        var table = TextTable([
            .init("SCANNER", least: 8), .init("STATE", least: 5), .init("ROOM", least: 8, cut: .end),
            .init("FLOOR", isNumber: true, rank: 3), .init("CLOCK", rank: 1), .init("HEARD", rank: 2),
            .init("LOST", isNumber: true, rank: 5), .init("VERSION", rank: 4),
            .init("CONTENT", isNumber: true, rank: 6),
        ])
        for scanner in scanners {
            let clock = clock(scanner)
            table.add([
                .init(scanner.name), state(scanner), .init(scanner.room ?? "-"),
                .init(scanner.floor.map { "\($0)" } ?? "-"),
                .init(clock.text, style: clock.isWrong ? .yellow : nil),
                .init(scanner.lastHeard.map { rfc3339(second: $0).prefix(19) + "Z" } ?? "-"),
                .init(scanner.lost.map { "\($0)" } ?? "-"), .init(scanner.version ?? "-"),
                .init(scanner.revision.map { "\($0)" } ?? "-"),
            ])
        }
        return table.lines(terminal) + [""] + resolverLines(terminal)
    }

    private func state(_ scanner: Scanner) -> TextTable.Cell {
        switch scanner.state {
        case .ok: .init("ok", style: .green)
        case .offline: .init("offline", style: .yellow)
        case .blind:
            .init(
                "blind" + (scanner.blindSince.map { " since \($0.rfc3339.prefix(19))Z" } ?? ""), short: "blind",
                style: .yellow)
        }
    }

    private func clock(_ scanner: Scanner) -> (text: String, isWrong: Bool) {
        let offset = scanner.clock.map(clockText) ?? "-"
        guard scanner.isSynchronised == false else { return (offset, (scanner.clock ?? 0).magnitude >= 1000) }
        return (offset == "-" ? "no NTP" : "\(offset), no NTP", true)
    }

    private func resolverLines(_ terminal: Terminal) -> [String] {
        guard !resolvers.isEmpty else { return ["no resolver: nobody decides on rooms (start one: beacon-fleet run)"] }
        var table = TextTable([.init("RESOLVER", least: 8), .init("STATE"), .init("RESOLVED UNTIL", rank: 1)])
        for resolver in resolvers {
            table.add([
                .init(resolver.name),
                .init(resolver.presence.text, style: resolver.presence.state == .offline ? .yellow : .green),
                .init(resolver.second.map { rfc3339(second: $0).prefix(19) + "Z" } ?? "-"),
            ])
        }
        return table.lines(terminal)
    }
}
