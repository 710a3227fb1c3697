import Foundation
import TestSupport
import Testing

/// beacon-content-server at the command line, with nginx and a device's client behind it.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Programs.installed("python3") != nil, "python3 is not installed"))
struct CurationPublishingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ program: String, _ arguments: String...) async throws -> RunningProgram.Outcome {
        let outcome = try await RunningProgram.run(program, arguments, within: .seconds(400))
        try #require(outcome.status == 0, "\(program) \(arguments): \(outcome.errors)")
        return outcome
    }

    private func server(_ state: String, _ arguments: String...) async throws -> RunningProgram.Outcome {
        let all = arguments + ["--state", folder.path(state)]
        let outcome = try await RunningProgram.run(
            Programs.path(of: "beacon-content-server"), all, within: .seconds(400))
        try #require(outcome.status == 0, "\(all): \(outcome.errors)")
        return outcome
    }

    /// The six exhibits as drafts of a server.
    private func importExhibits(into state: String) async throws {
        let python = try #require(Programs.installed("python3"))
        let tools = "\(Programs.project)/tools/demo-site"
        _ = try await run(python, "-B", "\(tools)/generate.py", folder.path("made"))
        _ = try await run(python, "-B", "\(tools)/archive.py", folder.path("made"), folder.path("exhibits.zip"))
        _ = try await server(state, "import", folder.path("exhibits.zip"))
    }

    @Test(
        "what is imported, signed and published into a folder is what a device gets from nginx",
        .enabled(if: Nginx.program != nil, "nginx is not installed"))
    func published() async throws {
        try await importExhibits(into: "state")
        let key = try await run(
            Programs.path(of: "beacon-content-server"), "keygen", folder.path("key.pem"), "--id", "2026")
        _ = try await server("state", "publish", "--signing-key", folder.path("key.pem"))
        _ = try await server("state", "publish", folder.path("public"))
        let nginx = try Nginx(serving: folder.path("public"))
        defer { nginx.stop() }
        // The lines of the public key's PEM text are its header, the key, and its footer.
        let lines = key.lines.filter { !$0.hasPrefix("-----") }
        try "content:\n  base_url: \(nginx.baseURL)\n  public_keys: [\"2026:\(lines.joined())\"]\n"
            .write(toFile: folder.path("beacond.yaml"), atomically: true, encoding: .utf8)
        let sync = try await run(
            Programs.beaconctl, "content", "sync", "--store", folder.path("store"), "--config",
            folder.path("beacond.yaml"))
        let sum = try #require(sync.lines.last)
        #expect(sum.hasPrefix("6 new, 0 changed, 0 unchanged, 0 deleted; 12 files"), "\(sum)")

        // Nothing has changed, so nothing is written.
        let again = try await server("state", "publish", folder.path("public"))
        #expect(again.output.contains(": 0 files written"), "\(again.output)")
    }

    @Test("an exported archive gives an empty server the same documents and files")
    func exchanged() async throws {
        try await importExhibits(into: "first")
        _ = try await server("first", "export", folder.path("all.zip"))
        _ = try await server("second", "import", folder.path("all.zip"))
        let again = try await server("second", "import", folder.path("all.zip"))
        #expect(again.output.hasPrefix("0 documents saved, "), "\(again.output)")
        let dry = try await server("second", "import", folder.path("all.zip"), "--dry-run")
        #expect(dry.output.hasPrefix("0 documents would be saved, "), "\(dry.output)")
        for format in ["beacons", "texts", "tourml"] {
            let first = try await server("first", "export", "-", "--format", format)
            let second = try await server("second", "export", "-", "--format", format)
            #expect(first.output == second.output)
            #expect(first.output.contains("Whale Skeleton"))
        }
        _ = try await server("second", "check")
    }

    @Test("an export that fails leaves no part of a file")
    func failedExport() async throws {
        try await importExhibits(into: "state")
        try FileManager.default.removeItem(atPath: folder.path("state/media"))
        let outcome = try await RunningProgram.run(
            Programs.path(of: "beacon-content-server"),
            ["export", folder.path("all.zip"), "--state", folder.path("state")], within: .seconds(400))
        #expect(outcome.status == 1 && outcome.errors.contains("media"), "\(outcome.errors)")
        #expect(!folder.names.contains { $0.hasPrefix("all.zip") })
    }

    @Test("a backup is a whole state folder, with the same documents and every file")
    func backup() async throws {
        try await importExhibits(into: "state")
        _ = try await server("state", "publish")
        _ = try await server("state", "backup", folder.path("backup"))
        _ = try await server("backup", "check")
        let texts = try await server("state", "export", "-", "--format", "texts")
        let restored = try await server("backup", "export", "-", "--format", "texts")
        #expect(texts.output == restored.output)
    }

    @Test("killed while it takes files, saves and publishes, the server loses nothing and serves no half revision")
    func killed() async throws {
        let python = try #require(Programs.installed("python3"))
        let program = Programs.path(of: "beacon-content-server")
        let bin = URL(fileURLWithPath: program).deletingLastPathComponent().path
        let outcome = try await run(
            python, "-B", "\(Programs.project)/tools/curation-kill-test", "--bin", bin, "--kills", "20")
        #expect(outcome.output.contains("killed: "), "\(outcome.output)")
    }

    @Test("after an old backup was restored, check says what devices hold, and publishing goes past it")
    func restored() async throws {
        try await importExhibits(into: "state")
        #expect(try await server("state", "publish", "--at-least", "41").output.contains("revision 41 "))
        let python = try #require(Programs.installed("python3"))
        let report = #"{"format":1,"host":"hall","period_start":"2026-05-28T20:00:00Z","#
            + #""period_end":"2026-05-28T20:01:00Z","revision":57}"#
        _ = try await run(
            python, "-c",
            "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); "
                + "db.execute('INSERT INTO device (host, first_at, report_at, period_end, report) "
                + "VALUES (?, 0, 0, 0, ?)', ('hall', sys.argv[2].encode())); db.commit()",
            folder.path("state/content.sqlite"), report)
        let program = Programs.path(of: "beacon-content-server")
        let check = try await RunningProgram.run(program, ["check", "--state", folder.path("state")])
        #expect(check.status == 1 && check.output.contains("devices hold revision 57") && check.output.contains("58"))
        #expect(try await server("state", "rollback", "41").output.contains("revision 58 "))
        #expect(try await RunningProgram.run(program, ["check", "--state", folder.path("state")]).status == 0)
        #expect(try await server("state", "rollback", "41", "--at-least", "70").output.contains("revision 70 "))
        let wrong = try await RunningProgram.run(
            program, ["publish", folder.path("public"), "--at-least", "9", "--state", folder.path("state")])
        #expect(wrong.status == 2 && wrong.errors.contains("--drafts"))
    }
}
