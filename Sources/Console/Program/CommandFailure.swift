/// Why a command ends without success. `Program` alone makes an exit status of it.
package struct CommandFailure: Error {
    package enum Kind: Hashable, Sendable {
        /// The command line is wrong in a way that the parser cannot see.
        case usage
        case failure
        case interrupted(signal: Int32)
    }

    package var kind: Kind
    /// One or more lines; nil where nothing is left to say.
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

    /// What is wrong stands in the command's output already.
    package static let reported = CommandFailure(.failure, nil)

    /// A signal ended a finite job before its end.
    package static func interrupted(by signal: Int32) -> CommandFailure {
        CommandFailure(.interrupted(signal: signal), nil)
    }

    /// No daemon is running that a command could ask.
    ///
    /// - Parameters:
    ///   - purpose: what for, after "no daemon is running": "that could be asked".
    ///   - takesSource: the command could listen itself.
    package static func noDaemon(_ purpose: String, takesSource: Bool = false) -> CommandFailure {
        CommandFailure(
            "no daemon is running \(purpose); start it: sudo systemctl start beacond (or, to look around: "
                + "beacond --source sim)"
                + (takesSource ? "; or name a source, for example --source hci0 or --source file:walk.btsnoop" : ""))
    }
}
