import Settings


// How much of the past is kept.
extension ConfigurationKey {
    static let historyEnabled = ConfigurationKey("history.enabled", .flag, "Keep what was heard, for reports.")
    static let historyRetention = ConfigurationKey(
        "history.retention_days", .integer(1...3650), "Days for which it is kept.")
    static let historySize = ConfigurationKey(
        "history.maximum_bytes", .integer(Int(HistorySettings.leastBytes)...Int.max),
        "What it may take on the disk; then the oldest goes first.")
    static let historyInterval = ConfigurationKey(
        "history.interval_s", .integer(1...3600), "Seconds that are kept as one.")

    static let history: [ConfigurationKey] = [historyEnabled, historyRetention, historySize, historyInterval]
}

extension HistorySettings {
    /// Nil where no history is kept.
    init?(_ values: inout Values, stateDirectory: String) {
        self.init(file: stateDirectory + "/history.sqlite")
        if let days = values.integer(.historyRetention) { retentionDays = days }
        if let bytes = values.integer(.historySize) { maximumBytes = Int64(bytes) }
        if let interval = values.integer(.historyInterval) { self.interval = interval }
        guard values.flag(.historyEnabled) != false else { return nil }
    }
}
