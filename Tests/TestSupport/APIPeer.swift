import Foundation

/// schemathesis, from the Python environment that `tools/test` makes.
package enum APIPeer {
    /// Why it cannot be used here; nil where it can.
    package static let absence = environment.absence

    private static let environment = PythonEnvironment("BEACOND_API_VENV", "api-venv")

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
        let program = try RunningProgram(
            environment.python(), ["-B", "\(Programs.project)/Tests/Peers/api_checks.py"] + arguments)
        return try await program.wait(within: .seconds(600))
    }
}
