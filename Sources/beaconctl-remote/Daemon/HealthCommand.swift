import ArgumentParser
import Beacon
import Console
import ControlClient
import Health
import Text

struct HealthCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Lists what is wrong with which beacon, since when, and on what evidence.",
        discussion: "With --source, a recording is examined instead.")

    @OptionGroup var socket: SocketOption

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let filter = wanted.filter
        let bytes = try await client.get("/v1/health" + (filter.isEmpty ? "" : "?" + filter.query.dropFirst()))
        if result.format == .json { return try ResultFile.write(String(decoding: bytes, as: UTF8.self), to: nil) }
        let list: HealthList = try ControlClient.decoded(bytes, of: "/v1/health")
        let text = result.format == .csv ? list.csv : list.table(.current, isFiltered: !filter.isEmpty)
        try ResultFile.write(text + "\n", to: nil)
    }
}

/// The answer of `/v1/health`, as far as a list needs it.
struct HealthList: Decodable {
    struct Problem: Decodable {
        var kind: String
        var since: String
        var evidence: String
    }

    struct Entry: Decodable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        var name: String?
        var state: String
        var problems: [Problem]
        var level: Double?
        /// Seconds.
        var intervalS: Double?
        var battery: Int?
        var lastHeard: String?
    }

    var beacons: [Entry]

    var csv: String {
        let rows = beacons.flatMap { entry in
            let start = [entry.uuid, "\(entry.major)", "\(entry.minor)", csvField(entry.name ?? ""), entry.state]
            let end = [
                entry.level.map { fixed($0, digits: 0) } ?? "", entry.intervalS.map { fixed($0, digits: 3) } ?? "",
                entry.battery.map { "\($0)" } ?? "", entry.lastHeard ?? "",
            ]
            let problems = entry.problems.map { [$0.kind, $0.since, csvField($0.evidence)] }
            return (problems.isEmpty ? [["", "", ""]] : problems).map { (start + $0 + end).joined(separator: ",") }
        }
        return ([HealthText.csvHeading] + rows).joined(separator: "\n")
    }

    /// Beacons with problems first.
    ///
    /// - Parameter isFiltered: only some beacons were asked for.
    func table(_ terminal: Terminal, isFiltered: Bool) -> String {
        guard !beacons.isEmpty else {
            return (isFiltered ? "no such beacon" : "no beacon")
                + " is known yet: what is usual is learned for a day (health.learning_hours)"
        }
        var table = TextTable([
            .init("BEACON", least: 10), .init("PROBLEM"), .init("SINCE", rank: 1),
            .init("LEVEL", isNumber: true, rank: 3), .init("INTERVAL", isNumber: true, rank: 4),
            .init("BATTERY", isNumber: true, rank: 5), .init("EVIDENCE", least: 20, rank: 2, cut: .end),
        ])
        for entry in beacons.filter({ !$0.problems.isEmpty }) + beacons.filter(\.problems.isEmpty) {
            let name = entry.name ?? "\(entry.uuid.uppercased()) \(entry.major).\(entry.minor)"
            let level = entry.level.map { "\(fixed($0, digits: 0)) dBm" } ?? "-"
            let interval = entry.intervalS.map { "\(fixed($0 * 1000, digits: 0)) ms" } ?? "-"
            let battery = entry.battery.map { "\($0) %" } ?? "-"
            for problem in entry.problems {
                table.add([
                    .init(name), .init(problem.kind, style: .yellow), .init(DaemonStatus.time(problem.since)),
                    .init(level),
                    .init(interval), .init(battery), .init(problem.evidence),
                ])
            }
            guard entry.problems.isEmpty else { continue }
            table.add([
                .init(name), .init(entry.state, style: entry.state == "ok" ? .green : .dim), .init("-"), .init(level),
                .init(interval), .init(battery), .init(""),
            ])
        }
        return table.lines(terminal).joined(separator: "\n")
    }
}
