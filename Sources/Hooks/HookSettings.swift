/// Commands that are run when something happens.
package struct HookSettings: Hashable, Sendable {
    /// A program and its arguments, by the kind of event (`DaemonEvent.kind`).
    package var commands: [String: [String]]
    /// Seconds that a command may take.
    package var timeout = 30.0
    /// Commands that run at the same time. With one, they run in the order of the events.
    package var parallel = 1

    /// The kinds of events that a command can be given for.
    package static let kinds = [
        "entered", "exited", "nearest", "proximity", "region", "content", "site", "scanner", "source", "part",
        "configuration",
    ]

    package init(commands: [String: [String]]) {
        self.commands = commands
    }
}
