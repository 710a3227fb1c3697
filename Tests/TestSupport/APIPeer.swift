import Foundation

/// schemathesis, from the Python environment that `tools/test` makes.
package enum APIPeer {
    /// Why it cannot be used here; nil where it can.
    package static let absence: String? =
        python == nil ? "no Python environment: tools/test makes it (or set BEACOND_API_VENV)" : nil

    private static let python: String? = {
        let environment = ProcessInfo.processInfo.environment["BEACOND_API_VENV"]
        return [environment, Programs.project + "/.tools/api-venv"].compactMap { $0 }.map { "\($0)/bin/python" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Calls the managing API of a server with generated requests, as an administrator.
    package static func check(
        _ address: String, name: String, password: String, examples: Int
    ) async throws -> RunningProgram.Outcome {
        try await run("managing", address, name, password, "\(examples)")
    }

    /// Calls the API of a daemon or a resolver with generated requests.
    package static func checkControl(_ address: String, examples: Int) async throws -> RunningProgram.Outcome {
        try await run("control", address, "\(examples)")
    }

    private static func run(_ arguments: String...) async throws -> RunningProgram.Outcome {
        guard let python else { throw RunningProgram.Failure(description: absence ?? "no Python") }
        let program = try RunningProgram(
            python, ["-B", "\(Programs.project)/Tests/Peers/api_checks.py"] + arguments)
        return try await program.wait(within: .seconds(600))
    }
}
