import TestSupport

/// `systemd-socket-activate`, which starts a program at the first connection. systemd-socket-activate(1).
enum SocketActivation {
    static let isInstalled = Programs.installed("systemd-socket-activate") != nil
    static let missing = "systemd-socket-activate is not installed"

    /// Returns when it listens: its socket has a name before that, and refuses until then.
    ///
    /// - Parameters:
    ///   - socket: the path at which it listens.
    ///   - variables: what the program gets; besides, it gets only `PATH` and a few others.
    ///   - command: the program, and its arguments.
    static func start(_ socket: String, variables: [String: String], _ command: [String]) async throws
        -> RunningProgram
    {
        let named = Sanitizer.variables + variables.map { "\($0.key)=\($0.value)" }
        let program = try RunningProgram(
            "systemd-socket-activate", ["--listen", socket] + named.flatMap { ["--setenv", $0] } + command)
        try await program.waitUntil("it listens") { $0.errors.contains("Listening on \(socket)") }
        return program
    }
}
