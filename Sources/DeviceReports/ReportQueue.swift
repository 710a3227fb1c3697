import Beacon

/// Reports that wait to be sent, for at most a day. If there are many, neighbours are merged, so that a day without a
/// network fills neither the memory nor the server.
///
/// Ages and spans are measured by a clock that nobody sets.
package struct ReportQueue: Sendable {
    private struct Entry {
        var report: DeviceReport
        /// The period in seconds of the steady clock.
        var start: Double
        var end: Double
    }

    private var waiting: [Entry] = []
    /// The first report may have arrived already, so it must not change: the server recognises a copy by its start.
    private var isFirstSettled = false

    /// The most reports that wait.
    static let most = 24
    /// The age in seconds after which a report is no longer useful.
    static let longest = 86_400.0
    /// Seconds. A smaller difference between the clocks does not mean that one was set.
    static let tolerance = 1.0

    package init() {}

    package var count: Int { waiting.count }
    package var first: DeviceReport? { waiting.first?.report }

    /// Adds a report.
    ///
    /// - Parameter now: the end of its period, in seconds of the steady clock.
    package mutating func append(_ report: DeviceReport, at now: Double) {
        let first = first
        waiting.removeAll { now - $0.end > Self.longest }
        isFirstSettled = isFirstSettled && self.first == first
        waiting.append(Entry(report: report, start: now - report.end.seconds(since: report.start), end: now))
        guard waiting.count > Self.most else { return }
        // The newest report is kept as it is, and so is one that was tried. Of the others, the two that together are
        // shortest are merged.
        let pairs = (isFirstSettled ? 1 : 0)..<(waiting.count - 2)
        let shortest = pairs.min { span(at: $0) < span(at: $1) }
        if let shortest { merge(at: shortest) }
    }

    private func span(at index: Int) -> Double {
        waiting[index + 1].end - waiting[index].start
    }

    /// Merges a report with the next one.
    private mutating func merge(at index: Int) {
        let later = waiting.remove(at: index + 1)
        var entry = waiting[index]
        entry.report.append(later.report)
        entry.end = later.end
        // If the wall clock was set in between, the start is by the earlier clock and the end by the later one.
        let start = entry.report.end.advanced(bySeconds: entry.start - entry.end)
        if abs(start.seconds(since: entry.report.start)) > Self.tolerance { entry.report.start = start }
        waiting[index] = entry
    }

    /// The first report is being sent. It may arrive even if an error is returned.
    package mutating func tryFirst() { isFirstSettled = true }

    /// The first report has arrived, or never will.
    package mutating func removeFirst() {
        if !waiting.isEmpty { waiting.removeFirst() }
        isFirstSettled = false
    }

    package mutating func removeAll() {
        waiting = []
        isFirstSettled = false
    }
}
