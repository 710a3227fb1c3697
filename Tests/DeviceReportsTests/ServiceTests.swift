import Foundation
import TestSupport
import Testing

@Suite("Reports to a real server", .serialized, .timeLimit(.minutes(10)))
struct ServiceTests {
    @Test("go where the site's list says, are sent again after a refusal, and beaconctl says when the last was taken")
    func reports() async throws {
        let hall = try Hall(refusals: 1)
        defer { hall.cleanUp() }
        // The first may be made before a busy machine has let the site answer, or the beacon be heard, and others while
        // it lets nothing be heard.
        func isWhole(_ line: Hall.Line) -> Bool {
            line.status == 204 && line.json["complete"] as? Bool == true && line.json["scanner"] as? String == "ok"
                && (line.json["beacons"] as? [Any])?.isEmpty == false
        }
        try await waitUntil("a report is taken") { try hall.lines().contains(where: isWhole) }
        let lines = try hall.lines()
        #expect(lines.first?.status == 503)
        // The same again, so that the server can tell that it is the same.
        #expect(lines.first?.start == lines.dropFirst().first?.start)
        let report = try #require(lines.first(where: isWhole))
        #expect(report.path == "/v1/reports")
        #expect(report.json["host"] as? String == "hall-3")
        #expect(report.json["revision"] as? Int == 41)
        #expect((report.json["beacons"] as? [Any])?.count == 1)
        // The first report may be made before a visitor has stayed for long.
        try await waitUntil("a stay is reported") {
            try hall.lines().contains { line in
                let dwell = (line.json["dwell"] as? [[String: Any]])?.first
                return line.status == 204 && (dwell?["seconds"] as? Double ?? 0) > 0
            }
        }
        try await waitUntil("the status says so") {
            let end = try await RunningProgram.run(
                Programs.beaconctl, ["status", "--socket", "\(hall.folder)/control.sock"])
            return end.output.contains("reports") && end.output.contains("the last at 20")
        }
    }

    @Test("are not sent to a site that does not ask for them")
    func unasked() async throws {
        let hall = try Hall(asks: false)
        defer { hall.cleanUp() }
        try await waitUntil("a period has passed") {
            let end = try await RunningProgram.run(
                Programs.beaconctl, ["status", "--json", "--socket", "\(hall.folder)/control.sock"])
            let uptime = end.output.firstMatch(of: /"uptime_s":(\d+)/).flatMap { Int($0.1) }
            return (uptime ?? 0) >= 12
        }
        #expect(try hall.lines().isEmpty)
    }
}

/// A daemon in front of one beacon, and a server that takes its reports.
private final class Hall {
    struct Line {
        var path: String
        var status: Int
        var json: [String: Any]

        var start: String? { json["period_start"] as? String }
    }

    let folder: String
    private let server: RunningProgram
    private let daemon: RunningProgram

    init(asks: Bool = true, refusals: Int = 0) throws {
        folder = try temporaryFolder("reports")
        let uuid = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
        try FileManager.default.createDirectory(atPath: "\(folder)/site/v1", withIntermediateDirectories: true)
        let asking = asks ? "\"reports\":\"v1/reports\"," : ""
        try "{\"format\":1,\"revision\":41,\(asking)\"beacons\":[],\"uncategorized\":null}"
            .write(toFile: "\(folder)/site/v1/site.json", atomically: true, encoding: .utf8)
        try "open-sesame-4711\n".write(toFile: "\(folder)/token", atomically: true, encoding: .utf8)
        try StandingScene.yaml(near: "\(uuid)").write(
            toFile: "\(folder)/standing.yaml", atomically: true, encoding: .utf8)
        let port = try freePort()
        try """
        sources: ["sim:\(folder)/standing.yaml"]
        content: {base_url: "http://127.0.0.1:\(port)"}
        control: {socket: "\(folder)/control.sock"}
        directories: {state: "\(folder)/state", cache: "\(folder)/cache"}
        dbus: {enabled: false}
        reports: {enabled: true, interval_s: 10, host: hall-3, token_file: "\(folder)/token"}

        """.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        server = try RunningProgram(
            "python3",
            [
                "-B", "\(Programs.project)/Tests/Peers/report_server.py", "\(folder)/site", "\(port)",
                "\(folder)/lines", "open-sesame-4711", "\(refusals)",
            ])
        daemon = try RunningProgram(
            Programs.beacond, ["--config", "\(folder)/beacond.yaml"],
            environment: ["BEACOND_CONTROL_SOCKET": "\(folder)/control.sock"])
    }

    func lines() throws -> [Line] {
        guard let text = try? String(contentsOfFile: "\(folder)/lines", encoding: .utf8) else { return [] }
        // The last one may be under way.
        return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return Line(
                path: json["path"] as? String ?? "", status: json["status"] as? Int ?? 0,
                json: json["report"] as? [String: Any] ?? [:])
        }
    }

    func cleanUp() {
        daemon.signal(SIGTERM)
        server.signal(SIGTERM)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
