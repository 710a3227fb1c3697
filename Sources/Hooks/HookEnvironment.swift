import Beacon
import Events

/// The environment of a command.
struct HookEnvironment: Sendable {
    private let inherited: [String: String]
    private let names: Names
    private let text: EventText

    /// Variables that are only for the daemon: sd_notify(3), sd_listen_fds(3), systemd.exec(5).
    private static let own: Set = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID",
        "CREDENTIALS_DIRECTORY", "JOURNAL_STREAM", "INVOCATION_ID", "MAINPID",
    ]
    /// The kernel's limit for one variable is 128 KiB (MAX_ARG_STRLEN); standard input has no limit.
    private static let longestValue = 100_000

    /// - Parameter inherited: the daemon's own environment.
    init(names: Names, inherited: [String: String]) {
        self.names = names
        self.inherited = inherited.filter { !Self.own.contains($0.key) && !$0.key.hasPrefix("BEACOND_") }
        text = EventText(names: names)
    }

    /// The event in its documented form, for the command's standard input.
    func json(_ record: EventRecord) -> String { text.json(record) }

    /// All variables of a command.
    func variables(_ record: EventRecord) -> [String: String] {
        var variables = inherited
        variables["BEACOND_EVENT"] = record.event.kind
        variables["BEACOND_EVENT_ID"] = "\(record.id)"
        variables["BEACOND_TIME"] = record.time.rfc3339
        variables["BEACOND_JSON"] = json(record)
        if let beacon = record.event.beacon {
            variables["BEACOND_BEACON_UUID"] = beacon.uuid.description
            variables["BEACOND_BEACON_MAJOR"] = "\(beacon.major)"
            variables["BEACOND_BEACON_MINOR"] = "\(beacon.minor)"
            variables["BEACOND_BEACON_NAME"] = names.given(beacon)
        }
        if let (_, line) = record.event.line(names: names) { variables["BEACOND_TEXT"] = line }
        return variables.filter { $0.value.utf8.count <= Self.longestValue && !$0.value.utf8.contains(0) }
    }
}
