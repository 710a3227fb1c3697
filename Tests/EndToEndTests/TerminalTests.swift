import Foundation
import TestSupport
import Testing

/// Everything that is drawn, on a terminal that others wrote: no line wraps, columns stand below each other, and what
/// differs between rows can be seen.
@Suite(.timeLimit(.minutes(10)), .enabled(if: TerminalPeer.absence == nil, "\(TerminalPeer.absence ?? "")"))
struct TerminalTests {
    static let widths = [40, 60, 80, 120, 200]

    private static let long = String(repeating: "Museum of Natural History, ", count: 7)
    private static let names = [
        long + "Hall 1", long + "Hall 2", "蒸汽机与电报局的历史展览大厅", "متحف البخار والكهرباء", "Steam Engine", "e\u{301}cran 🚂",
    ]

    /// Beacons with such names near a visitor who stands still.
    private static func scenario(in folder: String) throws -> String {
        let beacons = names.enumerated().map { index, name in
            """
              - name: "\(name)"
                uuid: 5d3ab1f0-7c1e-4d8e-9a55-0b6f2c417e93
                major: 1
                minor: \(index + 1)
                measured_power: -59
                position: [\(index), 1]

            """
        }
        let path = "\(folder)/names.yaml"
        try ("beacons:\n" + beacons.joined() + "visitor:\n  path:\n    - {position: [0, 0], pause_s: 100}\n")
            .write(toFile: path, atomically: false, encoding: .utf8)
        return "sim:\(path)"
    }

    /// The rows of the ranking: those below its heading, up to a row that is none.
    private static func ranking(_ screen: TerminalPeer.Screen) throws -> (heading: [String], rows: [[String]]) {
        let place = try #require(screen.rows.lastIndex { $0.joined().contains("BEACON ") }, "\(screen.lines)")
        return (screen.rows[place], Array(screen.rows[(place + 1)...].prefix(names.count)))
    }

    private static func check(_ screen: TerminalPeer.Screen) throws {
        #expect(screen.wraps == 0, "\(screen.lines)")
        let (heading, rows) = try ranking(screen)
        let title = heading.joined()
        #expect(rows.count == names.count)
        // The names end four columns before the heading of the levels, which has six columns.
        let level = title.distance(from: title.startIndex, to: try #require(title.range(of: "RSSI")).lowerBound)
        #expect(Set(rows.map { $0[5..<level - 4].joined() }).count == names.count, "\(screen.lines)")
        // Distances end where their heading ends.
        let end = title.distance(from: title.startIndex, to: try #require(title.range(of: "DISTANCE")).upperBound)
        for row in rows {
            #expect(row[end - 1] == "m" || row[end - 1] == "-", "\(screen.lines)")
            #expect(end >= row.count || row[end] == " ")
        }
    }

    @Test("range, over a hundred updates", arguments: widths)
    func range(columns: Int) async throws {
        let folder = try TemporaryFolder()
        let screen = try await TerminalPeer.run(
            Programs.beaconctl, ["range", "--source", try Self.scenario(in: folder.path), "--interval", "0.05"],
            columns: columns, updates: 130, from: "BEACON ")
        #expect(screen.updates >= 100 && screen.status == 0)
        try Self.check(screen)
    }

    @Test("the daemon's live ranking, with its events below", arguments: widths)
    func live(columns: Int) async throws {
        let folder = try TemporaryFolder()
        try "{}\n".write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let screen = try await TerminalPeer.run(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--source", try Self.scenario(in: folder.path), "--state-dir",
                "\(folder)/state", "--socket", "none", "--live",
            ], columns: columns, updates: 100, from: "BEACON ")
        #expect(screen.updates >= 100 && screen.status == 0)
        try Self.check(screen)
        #expect(screen.lines.contains { $0.hasPrefix("entered") })
    }

    @Test("every command that asks the daemon")
    func asked() async throws {
        let folder = try TemporaryFolder()
        try """
        regions:
          - {name: "\(Self.names[2])", uuid: 5d3ab1f0-7c1e-4d8e-9a55-0b6f2c417e93}
          - {name: "\(Self.long)", uuid: 5d3ab1f0-7c1e-4d8e-9a55-0b6f2c417e93, major: 1}
        """.write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let socket = "\(folder)/control.sock"
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(folder)/beacond.yaml", "--source", try Self.scenario(in: folder.path), "--state-dir",
                "\(folder)/state", "--socket", socket,
            ])
        try await daemon.waitUntil("all are near, and it can be asked") { daemon in
            let entered = daemon.errorLines.count { $0.contains("entered  ") && !$0.contains("region ") }
            return entered >= Self.names.count && daemon.errors.contains("nearest  ")
                && FileManager.default.fileExists(atPath: socket)
        }
        for columns in Self.widths {
            for arguments in [
                ["status"], ["regions"], ["range", "--once"], ["sightings", "--limit", "20"], ["report"],
                ["watch", "--after", "0", "--limit", "8"], ["explain", "1.5"],
            ] {
                let screen = try await TerminalPeer.run(
                    Programs.beaconctl, arguments, columns: columns, rows: 60,
                    environment: ["BEACOND_CONTROL_SOCKET": socket])
                #expect(
                    screen.status == 0 && screen.wraps == 0,
                    "\(arguments) at \(columns):\n\(screen.lines.joined(separator: "\n"))")
                #expect(screen.lines.count > 1, "\(arguments)")
            }
        }
        _ = try await daemon.stop(with: SIGTERM)
    }

    @Test("what is listened to without a daemon", arguments: widths)
    func listened(columns: Int) async throws {
        let folder = try TemporaryFolder()
        let sim = try Self.scenario(in: folder.path)
        for arguments in [
            ["sightings", "--source", sim, "--limit", "20"], ["explain", "1.5", "--source", sim, "--duration", "5"],
            ["report", "--source", sim, "--duration", "5"],
        ] {
            var screen = try await TerminalPeer.run(Programs.beaconctl, arguments, columns: columns, rows: 60)
            // A busy machine may let nothing be heard in five seconds.
            for _ in 0..<4 where screen.status != 0 {
                screen = try await TerminalPeer.run(Programs.beaconctl, arguments, columns: columns, rows: 60)
            }
            let text = "\(arguments) at \(columns):\n\(screen.lines.joined(separator: "\n"))"
            #expect(screen.status == 0 && screen.wraps == 0 && screen.lines.count > 1, "\(text)")
        }
    }

    @Test("the list of contents", .enabled(if: Nginx.program != nil, "nginx is not installed"))
    func contents() async throws {
        var setup = try ContentCommandTests.Setup()
        defer { setup.cleanUp() }
        for (index, name) in [Self.names[0], Self.names[2], Self.names[3]].enumerated() {
            var page = ContentCommandTests.Setup.page(index + 1, bytes: 500)
            page.name = name
            setup.site.pages[.beacon(try Scenarios.beacon(index + 1))] = page
        }
        try setup.site.publish()
        #expect(try await setup.run("sync").status == 0)
        for columns in Self.widths {
            let screen = try await TerminalPeer.run(
                Programs.beaconctl,
                ["content", "list", "--store", setup.store, "--config", "\(setup.folder)/beacond.yaml"],
                columns: columns)
            #expect(screen.status == 0 && screen.wraps == 0 && screen.lines.count == 4, "\(screen.lines)")
            let heading = try #require(screen.lines.first)
            let width = heading.distance(
                from: heading.startIndex, to: try #require(heading.range(of: "STATE")).lowerBound)
            #expect(Set(screen.lines.map { $0.prefix(width) }).count == 4, "\(screen.lines)")
        }
    }
}
