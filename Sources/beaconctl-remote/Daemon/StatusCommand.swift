import ArgumentParser
import Beacon
import Console
import ControlClient
import Text

struct StatusCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the daemon's state: its sources, the nearest beacon, the content.",
        discussion: "Exit status 1 if no daemon is running.")

    @OptionGroup var options: DaemonOptions

    var result: ResultOptions<TextFormat> { options.result }

    func run() async throws {
        let bytes = try await options.client(for: "that could be asked").get("/v1/status")
        guard !options.isJSON else {
            return try ResultFile.write(String(decoding: bytes, as: UTF8.self), to: nil)
        }
        let status: DaemonStatus = try ControlClient.decoded(bytes, of: "/v1/status")
        Program.output(status.text(.current) + "\n")
    }
}

/// The parts of `/v1/status` that are shown to people.
struct DaemonStatus: Decodable {
    struct Source: Decodable {
        var source: String
        var state: String
        var detail: String
        var since: String
    }

    struct Part: Decodable {
        var part: String
        var problem: String
        var since: String
    }

    struct Named: Decodable {
        var uuid: String
        var major: Int
        var minor: Int
        var name: String?

        var text: String {
            let identity = "\(uuid.uppercased())/\(major)/\(minor)"
            return name.map { "\(printable($0))  \(identity)" } ?? identity
        }
    }

    struct Wanted: Decodable {
        var beacon: Named?
        var state: String
        var problem: String?
    }

    struct Content: Decodable {
        struct Progress: Decodable {
            var beacon: Named?
            var fetchedBytes: Int64
            var bytes: Int64
        }

        var site: String?
        var directory: String
        var revision: Int64?
        var problem: String?
        var wanted: Wanted?
        var progress: [Progress]
    }

    struct Reports: Decodable {
        var last: String?
        var waiting: Int
        var problem: String?
    }

    var version: String
    var time: String
    var startedAt: String
    var uptimeS: Double
    var scanner: String
    var sources: [Source]
    /// Those that do not work now; nil from an older daemon.
    var parts: [Part]?
    var nearest: Named?
    var beacons: Int
    var lastEvent: UInt64
    var content: Content?
    /// Nil where nothing is reported.
    var reports: Reports?

    func text(_ terminal: Terminal) -> String {
        var rows = TextRows(width: 10)
        rows.add("daemon", "beacond \(version), running for \(Self.duration(uptimeS)), since \(Self.time(startedAt))")
        rows.add(
            "scanner", scanner == "ok" ? "ok" : "blind: nothing can be heard, and beacons are kept as they were",
            style: scanner == "ok" ? .green : .yellow)
        for source in sources {
            let detail = source.detail.isEmpty ? "" : ", \(source.detail)"
            rows.add(
                "source", "\(source.source): \(source.state)\(detail), since \(Self.time(source.since))",
                style: source.state == "lost" ? .yellow : nil)
        }
        for part in parts ?? [] {
            rows.add("part", "\(part.part): \(part.problem), since \(Self.time(part.since))", style: .yellow)
        }
        rows.add("nearest", nearest?.text ?? "none")
        rows.add("in range", beacons == 1 ? "1 beacon" : "\(beacons) beacons")
        addContent(to: &rows)
        if let reports {
            let last = reports.last.map { "the last at \(Self.time($0))" } ?? "none was taken yet"
            rows.add("reports", last + (reports.waiting > 0 ? ", \(reports.waiting) waiting" : ""))
            if let problem = reports.problem { rows.add("reports", problem, style: .yellow) }
        }
        return rows.lines(terminal).joined(separator: "\n")
    }

    private func addContent(to rows: inout TextRows) {
        guard let content else { return rows.add("content", "none: no site is configured") }
        if let site = content.site {
            rows.add("content", site + (content.revision.map { ", revision \($0)" } ?? ""))
        } else {
            rows.add("content", "no site is configured; what is stored in \(content.directory) can be shown")
        }
        if let problem = content.problem { rows.add("content", problem, style: .yellow) }
        if let wanted = content.wanted {
            rows.add(
                "content", "\(Self.name(wanted.beacon)): \(wanted.state)" + (wanted.problem.map { ": \($0)" } ?? ""))
        }
        for progress in content.progress {
            rows.add(
                "content", "fetching \(Self.name(progress.beacon)): \(ByteCount.text(progress.fetchedBytes)) of "
                    + ByteCount.text(progress.bytes))
        }
    }

    private static func name(_ beacon: Named?) -> String {
        beacon.map { $0.name ?? "\($0.major).\($0.minor)" } ?? "uncategorized"
    }

    static func time(_ text: String) -> String { text.count > 19 ? "\(text.prefix(19))Z" : text }

    /// In the two largest units.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e12)))
        let parts = [(whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).map { "\($0.0) \($0.1)" }
        return shown.isEmpty ? "0 s" : shown.joined(separator: " ")
    }
}
