import Beacon
import Foundation
import TestSupport

/// A daemon with the page switched on, a site behind a real nginx, and what a browser finds there.
final class Visit {
    let nginx: Nginx
    let folder: String
    let port: UInt16
    private(set) var daemon: RunningProgram

    var page: String { "http://127.0.0.1:\(port)" }
    private var configuration: String { "\(folder)/beacond.yaml" }

    /// - Parameters:
    ///   - source: where the daemon listens.
    ///   - limitRate: bytes a second of each asset's transfer, as nginx writes them, so that downloads can be seen.
    ///   - token: what the page asks for.
    init(site: String, source: String, limitRate: String? = nil, token: String? = nil) async throws {
        nginx = try Nginx(
            serving: site, directives: limitRate.map { "location /v1/assets/ { limit_rate \($0); }" } ?? "")
        folder = try temporaryFolder("visit")
        port = try freePort()
        if let token { try token.write(toFile: "\(folder)/token", atomically: true, encoding: .utf8) }
        try (Self.configuration(source: source, nginx, folder, port)
            + (token == nil ? "" : "\n  token_file: \(folder)/token\n"))
            .write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        daemon = try Self.start("\(folder)/beacond.yaml")
        try await waitUntilServing()
    }

    func cleanUp() {
        nginx.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Another source from now on, by a reload.
    func listen(to source: String) throws {
        try Self.configuration(source: source, nginx, folder, port)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        daemon.signal(SIGHUP)
    }

    func stopDaemon() async throws { _ = try await daemon.stop() }

    func startDaemon() async throws {
        daemon = try Self.start(configuration)
        try await waitUntilServing()
    }

    /// Looks at the page by a check of page_checks.py, and returns what it tells.
    ///
    /// - Parameter change: called with what the check wants changed, before it goes on.
    func look(
        _ check: String, change: (String) async throws -> Void = { _ in }
    ) async throws -> [String: Any] {
        try await Look.through(check, at: page, daemon: daemon, change: change)
    }

    /// Where screenshots are kept, to be looked at.
    static let pictures = Look.pictures

    private func waitUntilServing() async throws {
        try await daemon.waitUntil("it serves the page") { [port] _ in
            (try? exchange(port: port, request: "HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"))?
                .hasPrefix("HTTP/1.1 ") == true
        }
    }

    private static func start(_ configuration: String) throws -> RunningProgram {
        try RunningProgram(Programs.beacond, ["--config", configuration])
    }

    private static func configuration(
        source: String, _ nginx: Nginx, _ folder: String, _ port: UInt16
    ) -> String {
        """
        sources: ["\(source)"]
        content:
          base_url: \(nginx.baseURL)
          prefetch: off
        control:
          socket: none
        directories:
          state: \(folder)/state
          cache: \(folder)/cache
        http:
          listen: 127.0.0.1:\(port)
        """
    }
}

/// The demo's site, written once for all tests.
enum DemoSite {
    static let uuid = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"

    static let folder = Task {
        let folder = try temporaryFolder("demo-site")
        let end = try await RunningProgram.run(
            "python3", ["-B", "\(Programs.project)/tools/demo-site/generate.py", folder], within: .seconds(120))
        guard end.status == 0 else { throw RunningProgram.Failure(description: end.errors) }
        return folder
    }

    /// A visitor who stands at one place, the beacons at these distances in metres.
    ///
    /// - Parameter named: the scenario names them; otherwise only the site does.
    static func standing(at distances: [Double], named: Bool = true) throws -> String {
        let folder = try temporaryFolder("standing")
        let beacons = distances.enumerated().map { index, distance in
            """
              - uuid: \(uuid)
                \(named ? "name: Exhibit \(index + 1)" : "")
                major: 1
                minor: \(index + 1)
                measured_power: -59
                position: [\(distance), 0]
            """
        }
        try StandingScene.yaml(beacons).write(
            toFile: "\(folder)/standing.yaml", atomically: true, encoding: .utf8)
        return "sim:\(folder)/standing.yaml"
    }
}
