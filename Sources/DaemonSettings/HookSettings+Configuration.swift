import Glibc
import Settings

extension ConfigurationKey {
    static let hooks: [ConfigurationKey] = hookCommands.map(\.key) + [hookTimeout, hookParallel]

    fileprivate static let hookCommands = HookSettings.kinds.map { kind in
        (kind: kind, key: ConfigurationKey("hooks.\(kind)", .texts, "A command for each event of the kind \(kind)."))
    }
    fileprivate static let hookTimeout = ConfigurationKey(
        "hooks.timeout_s", .number(1...3600), "How long a command may take.")
    fileprivate static let hookParallel = ConfigurationKey(
        "hooks.parallel", .integer(1...64), "Commands that run at the same time.")
}

extension HookSettings {
    /// The settings below `hooks`; nil where there is no command.
    init?(_ values: inout Values) {
        var commands: [String: [String]] = [:]
        for (kind, key) in ConfigurationKey.hookCommands {
            guard let command = values.texts(key), let program = command.first else { continue }
            if !program.hasPrefix("/") {
                values.complain(
                    key,
                    "\"\(program)\" is no absolute path; a command is a list of a program and its arguments, "
                        + "as in [/usr/local/bin/notify, --quiet]")
            } else if access(program, X_OK) != 0 {
                values.complain(key, "\(program) cannot be run: \(String(cString: strerror(errno)))")
            }
            commands[kind] = command
        }
        let (timeout, parallel) = (values.number(.hookTimeout), values.integer(.hookParallel))
        guard !commands.isEmpty else { return nil }
        self.init(commands: commands)
        if let timeout { self.timeout = timeout }
        if let parallel { self.parallel = parallel }
    }
}
