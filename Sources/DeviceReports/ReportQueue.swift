import Beacon

/// Reports that wait to be sent, for at most a day. If there are many, neighbours are merged, so that a day without a
/// network fills neither the memory nor the server.
package struct ReportQueue: Sendable {
    private var waiting: [DeviceReport] = []
    /// The first report may have arrived already, so it must not change: the server recognises a copy by its start.
    private var isFirstSettled = false

    /// The most reports that wait.
    static let most = 24
    /// The age in seconds after which a report is no longer useful.
    static let longest = 86_400.0

    package init() {}

    package var count: Int { waiting.count }
    package var first: DeviceReport? { waiting.first }

    package mutating func append(_ report: DeviceReport) {
        if let first = waiting.first, report.end.seconds(since: first.end) > Self.longest {
            waiting.removeAll { report.end.seconds(since: $0.end) > Self.longest }
            isFirstSettled = isFirstSettled && waiting.first == first
        }
        waiting.append(report)
        guard waiting.count > Self.most else { return }
        // The newest report is kept as it is, and so is one that was tried. Of the others, the two that together are
        // shortest are merged.
        let pairs = (isFirstSettled ? 1 : 0)..<(waiting.count - 2)
        let shortest = pairs.min { span(at: $0) < span(at: $1) }
        guard let shortest else { return }
        waiting[shortest].append(waiting[shortest + 1])
        waiting.remove(at: shortest + 1)
    }

    private func span(at index: Int) -> Double {
        waiting[index + 1].end.seconds(since: waiting[index].start)
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
