import Beacon

/// Reports that wait to be sent, at most of a day. If there are many, neighbours become one, so that neither the memory
/// nor the server is filled after a day without a network.
package struct ReportQueue: Sendable {
    private var waiting: [DeviceReport] = []
    /// The first may have arrived already, so it must stay as it is: the server knows a copy by its start.
    private var isFirstSettled = false

    /// The most that wait.
    static let most = 24
    /// Seconds after which a report is of no more use.
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
        // The newest stays as it is, and so does one that was tried. Of the others the shortest two become one.
        let pairs = (isFirstSettled ? 1 : 0)..<(waiting.count - 2)
        let shortest = pairs.min { span(at: $0) < span(at: $1) }
        guard let shortest else { return }
        waiting[shortest].append(waiting[shortest + 1])
        waiting.remove(at: shortest + 1)
    }

    private func span(at index: Int) -> Double {
        waiting[index + 1].end.seconds(since: waiting[index].start)
    }

    /// The first is being sent, and may arrive whatever comes back.
    package mutating func tryFirst() { isFirstSettled = true }

    /// The first has arrived, or never will.
    package mutating func removeFirst() {
        if !waiting.isEmpty { waiting.removeFirst() }
        isFirstSettled = false
    }

    package mutating func removeAll() {
        waiting = []
        isFirstSettled = false
    }
}
