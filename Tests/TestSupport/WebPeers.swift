import Foundation

/// Other people's readers of what the daemon serves, from the Python environment that `tools/test` makes.
package enum WebPeers {
    /// Why they cannot be used here; nil where they can.
    package static let absence = environment.absence

    private static let environment = PythonEnvironment("BEACOND_WEB_VENV", "web-venv")

    /// A family of metrics as Prometheus' client reads it.
    package struct MetricFamily: Decodable, Sendable {
        package var name: String
        package var type: String
        package var help: String
        package var samples: [Sample]

        package struct Sample: Decodable, Hashable, Sendable {
            package var name: String
            package var labels: [String: String]
            /// A number as Python writes it.
            package var value: String

            package init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                name = try container.decode(String.self)
                labels = try container.decode([String: String].self)
                value = try container.decode(String.self)
            }
        }
    }

    /// Reads the Prometheus text format. Throws with the reader's words where it refuses.
    package static func metrics(in text: String) async throws -> [MetricFamily] {
        let result = try await run("prometheus_read.py", [], input: .text(text))
        guard result.status == 0 else { throw RunningProgram.Failure(description: result.errors) }
        return try result.lines.map { try JSONDecoder().decode(MetricFamily.self, from: Data($0.utf8)) }
    }

    /// Why there is no browser to look at pages with; nil where there is one.
    package static let browserAbsence: String? =
        absence ?? (browser == nil ? "Chromium is not installed: tools/test installs it (or set CHROMIUM)" : nil)

    private static let browser: String? =
        ProcessInfo.processInfo.environment["CHROMIUM"] ?? Programs.installed("chromium")

    /// A check of Tests/Peers/page_checks.py, which prints JSON lines and reads lines where it waits.
    ///
    /// - Parameters:
    ///   - page: the address of the page.
    ///   - pictures: a folder for screenshots.
    package static func look(_ check: String, at page: String, pictures: String) throws -> RunningProgram {
        guard let browser else { throw RunningProgram.Failure(description: browserAbsence ?? "no browser") }
        return try RunningProgram(
            environment.python(),
            ["-B", "\(Programs.project)/Tests/Peers/page_checks.py", check, page, pictures], input: .pipe,
            environment: ["PYTHONUNBUFFERED": "1", "CHROMIUM": browser])
    }

    /// Runs a script of Tests/Peers to its end.
    package static func run(
        _ script: String, _ arguments: [String], input: RunningProgram.Input = .nothing,
        within limit: Duration = longestWait
    ) async throws -> RunningProgram.Outcome {
        return try await RunningProgram.run(
            environment.python(), ["-B", "\(Programs.project)/Tests/Peers/\(script)"] + arguments, input: input,
            environment: ["PYTHONUNBUFFERED": "1"], within: limit)
    }
}
