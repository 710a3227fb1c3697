import Foundation

/// A terminal emulator that others wrote, from the Python environment that `tools/test` makes.
package enum TerminalPeer {
    /// Why it cannot be used here; nil where it can.
    package static let absence = environment.absence

    private static let environment = PythonEnvironment("BEACOND_TERMINAL_VENV", "terminal-venv")

    /// What stands on the terminal once a program has ended.
    package struct Screen: Decodable, Sendable {
        package var status: Int
        /// How often a line went beyond the last column.
        package var wraps: Int
        /// How often the program has drawn in place.
        package var updates: Int
        /// By row and column. The second cell of a wide character is empty.
        package var rows: [[String]]

        /// The rows with something in them, as text.
        package var lines: [String] {
            rows.map { row in
                var text = row.joined()
                while text.last == " " { text.removeLast() }
                return text
            }.filter { !$0.isEmpty }
        }
    }

    /// Runs a program on a terminal of this size.
    ///
    /// - Parameters:
    ///   - updates: it is ended once it has drawn in place so often; 0 waits for its own end.
    ///   - start: they count from when this stands on the terminal.
    package static func run(
        _ program: String, _ arguments: [String], columns: Int, rows: Int = 24, updates: Int = 0,
        from start: String = "",
        environment: [String: String?] = [:], within limit: Duration = .seconds(300)
    ) async throws -> Screen {
        let result = try await RunningProgram.run(
            Self.environment.python(),
            ["-B", "\(Programs.project)/Tests/Peers/terminal.py", "\(columns)", "\(rows)", "\(updates)", start, program]
                + arguments,
            environment: environment, within: limit)
        guard result.status == 0 else { throw RunningProgram.Failure(description: result.errors) }
        return try JSONDecoder().decode(Screen.self, from: Data(result.output.utf8))
    }
}
