// What is run when something happens.
extension Setting {
    static let hooks: [Setting] =
        HookSettings.kinds.map { kind in
            Setting(
                "hooks.\(kind)", .texts(\.hooks[kind]), .restarts(["hooks"]), unset: "none",
                "a command for each event of the kind `\(kind)` ([hooks](hooks.md)): "
                    + "a list of a program's path and its arguments")
        } + [
            Setting(
                "hooks.timeout_s", .number(1...3600, \.hooks.timeout), .restarts(["hooks"]),
                "seconds that a command may take; then it is ended"),
            Setting(
                "hooks.parallel", .count(1...64, \.hooks.parallel), .restarts(["hooks"]),
                "commands that run at the same time; with one, they keep the order of the events"),
        ]
}
