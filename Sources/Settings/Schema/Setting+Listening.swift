import HCI

// Where to listen, how, and where things are kept.
extension Setting {
    static let listening: [Setting] = [
        Setting(
            "sources", .texts(\.sources), .startsAndEndsSources, option: .source,
            "where to listen: a list of sources as after `--source` ([listening](listening.md)); `auto` is the first "
                + "adapter with Bluetooth Low Energy"),
        Setting(
            "scan.active", .flag(\.scan.isActive), .restartsSources,
            "scan actively, so that scan responses are received too"),
        Setting(
            "scan.profile", .choice(ScanProfile.allCases.map(\.rawValue), \.scan.profile.word), .restartsSources,
            "how much of the time to listen: `dedicated` (always), `balanced` (half), `wifi-friendly` (a tenth)"),
        Setting(
            "scan.silence_s", .number(5...86_400, \.scan.silence), .restartsSources,
            "seconds of silence after which an adapter that answers still counts as blind"),
        Setting(
            "scan.reference_beacons", .texts(\.scan.referenceBeacons), .restartsSources, unset: "none",
            "beacons that the scanner always receives, as a list of UUID/MAJOR/MINOR; while one of them should "
                + "be received, the scanner counts as blind after 10 s of silence"),
    ]

    static let directories: [Setting] = [
        Setting(
            "directories.state", .file(\.directories.state),
            .restarts(["content", "health", "history", "mqtt"]), unset: "`/var/lib/beacond`", option: .stateDirectory,
            "where content (below `content/`), history and what waits for the broker are kept; a user who may not "
                + "write the default has `$XDG_STATE_HOME/beacond` or `~/.local/state/beacond`"),
        Setting(
            "directories.cache", .file(\.directories.cache), .needsRestart, unset: "`/var/cache/beacond`",
            "where what can be lost is kept; for such a user `$XDG_CACHE_HOME/beacond` or `~/.cache/beacond`"),
    ]
}
