import TestSupport

extension RunningProgram {
    /// Runs a program that listens for a few seconds, in which a busy machine may let nothing be heard: up to five
    /// times, until what it printed is enough. Returns the last run.
    static func listenShortly(
        _ program: String, _ arguments: [String], until isEnough: (Outcome) async throws -> Bool
    ) async throws -> Outcome {
        var outcome = try await run(program, arguments)
        var rest = 4
        while rest > 0, try await !isEnough(outcome) {
            outcome = try await run(program, arguments)
            rest -= 1
        }
        return outcome
    }
}
