package import Content

extension SyncSummary {
    /// The result for people: "3 new, 1 changed, 96 unchanged, 2 deleted, 1 failed (…)".
    package var line: String {
        var parts = [
            "\(new.count) new", "\(updated.count) changed", "\(unchanged) unchanged", "\(deleted.count) deleted",
        ]
        if !failed.isEmpty { parts.append("\(failed.count) failed") }
        if untried > 0 { parts.append("\(untried) not tried") }
        return parts.joined(separator: ", ")
    }
}
