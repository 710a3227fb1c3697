/// Commands that are run when something happens.
public struct HookSettings: Hashable, Sendable {
    /// A program and its arguments, by the kind of event (`DaemonEvent.kind`).
    public var commands: [String: [String]]
    /// Seconds that a command may take.
    public var timeout = 30.0
    /// Commands that run at the same time. With one, they run in the order of the events.
    public var parallel = 1

    /// The kinds of events that a command can be given for.
    public static let kinds = [
        "entered", "exited", "nearest", "proximity", "region", "content", "site", "scanner", "source", "part",
        "configuration",
    ]

    public init(commands: [String: [String]]) {
        self.commands = commands
    }
}
