import Foundation
import TestSupport

/// A content server with an empty database, and what a browser does there.
final class CuratorVisit {
    let folder: String
    let port: UInt16
    let server: RunningProgram
    /// The printed link of the first account.
    let link: String

    var page: String { "http://127.0.0.1:\(port)" }

    init() async throws {
        folder = try temporaryFolder("curator")
        port = try freePort()
        server = try RunningProgram(
            Programs.path(of: "beacon-content-server"),
            ["serve", "--state", "\(folder)/state", "--listen", "127.0.0.1:\(port)"]
                + (Self.vendor.map { ["--vendor", $0] } ?? []))
        try await server.waitUntil("it prints the first link") { Self.link(in: $0) != nil }
        link = Self.link(in: server) ?? ""
    }

    func cleanUp() {
        server.signal(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Writes what is published into a folder, as for another web server.
    func publish(into site: String) async throws {
        let end = try await RunningProgram.run(
            Programs.path(of: "beacon-content-server"), ["publish", site, "--state", "\(folder)/state"],
            within: .seconds(120))
        guard end.status == 0 else { throw RunningProgram.Failure(description: end.errors) }
    }

    /// Looks at the pages by a check of curator_checks.py, or of another script with the same arguments.
    ///
    /// - Parameter arguments: what the check wants besides.
    @discardableResult
    func look(
        _ check: String, of script: String = "curator_checks.py", _ arguments: [String] = []
    ) async throws -> [String] {
        let end = try await WebPeers.run(
            script, [check, page, link, Visit.pictures] + arguments, within: Look.longest)
        guard end.status == 0 else {
            throw RunningProgram.Failure(
                description: "\(end.errors)\nthe server:\n\(server.errorLines.suffix(20).joined(separator: "\n"))")
        }
        return end.lines
    }

    /// Third-party scripts, if tools/web-assets has unpacked them; without them the pages have plain fields.
    private static let vendor: String? = {
        let folder = "\(Programs.project)/.tools/web-assets"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    private static func link(in server: RunningProgram) -> String? {
        (server.lines + server.errorLines).compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("http") && $0.contains("/link/") }.map(String.init)
        }.first
    }
}
