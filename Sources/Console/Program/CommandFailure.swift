import Settings
import Text

/// Why a command fails. Only `Program` turns it into an exit status.
package struct CommandFailure: Error {
    package enum Kind: Hashable, Sendable {
        /// The command line is wrong in a way that the parser cannot see.
        case usage
        case failure
        case interrupted(signal: Int32)
    }

    package var kind: Kind
    /// One or more lines; nil if everything was already reported.
    package var message: String?

    private init(_ kind: Kind, _ message: String?) {
        self.kind = kind
        self.message = message
    }

    package init(_ message: String) {
        self.init(.failure, message)
    }

    package static func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, message)
    }

    /// The command's output has already said what is wrong.
    package static let reported = CommandFailure(.failure, nil)

    /// A signal ended a finite job before its end.
    package static func interrupted(by signal: Int32) -> CommandFailure {
        CommandFailure(.interrupted(signal: signal), nil)
    }

    /// No daemon is running that a command could ask.
    ///
    /// - Parameters:
    ///   - purpose: follows "no daemon is running", for example "that could be asked".
    ///   - takesSource: whether the command could listen itself.
    package static func noDaemon(_ purpose: String, takesSource: Bool = false) -> CommandFailure {
        let socket = Environment.variables[ControlSocket.variable] ?? ""
        return CommandFailure(
            "no daemon is running \(purpose); start it: sudo systemctl start beacond (or, to look around: "
                + "beacond --source sim)"
                + (takesSource ? "; or name a source, for example --source hci0 or --source file:walk.btsnoop" : "")
                + (socket.isEmpty || socket == "none"
                    ? "" : "; it was looked for only at \(printable(socket)) (\(ControlSocket.variable))"))
    }
}
