// How much of the past is kept.
extension Setting {
    static let history: [Setting] = [
        Setting(
            "history.enabled", .flag(\.isHistoryKept), .restarts(["history"]),
            "keep what was received, for `beaconctl report` ([history](history.md))"),
        Setting(
            "history.retention_days", .count(1...3650, \.history.retentionDays), .restarts(["history"]),
            "days for which it is kept"),
        Setting(
            "history.maximum_bytes", .count(Int(HistorySettings.leastBytes)...Int.max, \.history.maximumBytes.count),
            .restarts(["history"]),
            "what it may take on the disk, at least 16777216; then the oldest goes first"),
        Setting(
            "history.interval_s", .count(1...3600, \.history.interval), .restarts(["history"]),
            "seconds that are kept as one"),
    ]
}
