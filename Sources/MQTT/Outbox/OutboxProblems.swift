/// Decides which problems of the outbox are reported. It can be full, and its file can fail. The status of the daemon
/// shows one problem, the last that was reported. Pure.
package struct OutboxProblems: Sendable {
    package enum Action: Hashable, Sendable {
        case report(String)
        /// There is no problem any more.
        case ended
    }

    private var isFull = false
    /// The file's problem as it was reported.
    private var disk: String?
    /// The last report; nil if there is no problem.
    private var shown: String?

    private static let full = "full: the oldest events are dropped until the broker takes them (mqtt.outbox_events)"

    package init() {}

    /// Each problem is reported once. If the one that is shown ends while the other one lasts, that is reported again.
    ///
    /// - Parameters:
    ///   - isDropping: events were dropped.
    ///   - hasRoom: no event will be dropped soon. Until then, a full outbox counts as full.
    ///   - disk: why the file cannot be written; nil if it can.
    package mutating func note(isDropping: Bool, hasRoom: Bool, disk problem: String?) -> [Action] {
        let (wasFull, hadProblem) = (isFull, disk != nil)
        isFull = isDropping || wasFull && !hasRoom
        disk = problem.map { disk ?? "events wait in memory only: \($0)" }
        var reports: [String] = []
        if isFull, !wasFull { reports.append(Self.full) }
        if let disk, !hadProblem { reports.append(disk) }
        let lasting = [isFull ? Self.full : nil, disk].compactMap(\.self)
        if reports.isEmpty, let shown, !lasting.contains(shown) { reports = Array(lasting.suffix(1)) }
        let hasEnded = shown != nil && lasting.isEmpty
        shown = lasting.isEmpty ? nil : reports.last ?? shown
        return reports.map(Action.report) + (hasEnded ? [.ended] : [])
    }
}
