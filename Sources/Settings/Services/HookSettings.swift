/// Commands to run for events.
package struct HookSettings: Hashable, Sendable {
    /// A program and its arguments, by the kind of event (`DaemonEvent.kind`).
    package var commands: [String: [String]]
    /// The time-out of a command, in seconds.
    package var timeout = 30.0
    /// How many commands may run at the same time. With one, they run in the order of the events.
    package var parallel = 1

    /// The kinds of events that can have a command.
    package static let kinds = [
        "entered", "exited", "nearest", "proximity", "region", "health", "content", "site", "scanner", "source", "part",
        "configuration",
    ]

    package init(commands: [String: [String]]) {
        self.commands = commands
    }
}
