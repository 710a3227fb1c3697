/// Puts the seconds of many scanners together. A second is complete when every scanner that is there has told of it, or
/// when most are three seconds ahead.
///
/// What is complete depends on the messages alone and not on when they arrive, so that two resolvers see the same.
package struct SecondBarrier: Sendable {
    /// Seconds that a scanner may be behind before the others go on without it, and after which it counts as gone.
    package static let patience: Int64 = 3
    /// Seconds that may pass without any message: then nobody is there.
    package static let longestPause: Int64 = 5
    /// Seconds that a scanner may be ahead of the others. Its clock is wrong beyond that.
    package static let mostAhead: Int64 = 60
    /// Seconds without any report after which everything begins anew: whatever second comes next is the first.
    package static let longestIdle = 20
    package static let mostScanners = RoomMap.mostScanners
    /// Up to the year 9999.
    package static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    private var waiting: [Int64: [String: ScannerSecond]] = [:]
    /// The newest second of each scanner that is there.
    private var newest: [String: Int64] = [:]
    /// The same of scanners that are far ahead of the others.
    private var ahead: [String: Int64] = [:]
    private var closed: Int64?
    /// Seconds since a report was taken, by the caller's clock.
    private var idled = 0
    /// Messages that came after their second was complete.
    package private(set) var late = 0
    /// Messages of scanners whose clock is far ahead of the others.
    package private(set) var fromTheFuture = 0

    package init() {}

    /// The seconds of the scanners that are there.
    package var scanners: [String] { newest.keys.sorted() }

    /// - Returns: whether it was taken.
    @discardableResult
    package mutating func add(_ report: ScannerSecond) -> Bool {
        guard Self.seconds.contains(report.second), newest[report.scanner] != nil || newest.count < Self.mostScanners
        else { return false }
        if let middle, report.second > middle + Self.mostAhead {
            if ahead.count >= Self.mostScanners { ahead = [:] }
            ahead[report.scanner] = report.second
            // If most are there, it is not their clocks: time went on while no message came.
            guard ahead.count * 2 > newest.count else {
                fromTheFuture += 1
                return false
            }
            newest = ahead
            waiting = [:]
        }
        ahead[report.scanner] = nil
        if let closed, report.second <= closed {
            late += 1
            return false
        }
        idled = 0
        newest[report.scanner] = max(newest[report.scanner] ?? .min, report.second)
        waiting[report.second, default: [:]][report.scanner] = report
        return true
    }

    /// A scanner says that it ends.
    package mutating func leave(_ scanner: String) {
        newest[scanner] = nil
    }

    /// Most scanners have told of this second.
    private var middle: Int64? {
        let sorted = newest.values.sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// The next second, if it is complete, with one report of each scanner that told of it.
    package mutating func next() -> (second: Int64, reports: [ScannerSecond])? {
        guard let first = waiting.keys.min(), let middle else { return nil }
        let last = newest.values.max() ?? middle
        // The second after the last one also where nobody told of it: silence says something. Long silence is skipped.
        let second = closed.map { closed in last - closed > Self.mostAhead ? first : closed + 1 } ?? first
        let isComplete = newest.values.allSatisfy { $0 >= second }
        guard isComplete || middle >= second + Self.patience else { return nil }
        return close(second)
    }

    /// Nothing has come for a second, although time has passed: a second without reports.
    package mutating func idle() -> (second: Int64, reports: [ScannerSecond])? {
        guard let closed else { return nil }
        idled += 1
        guard idled <= Self.longestIdle else {
            // Also where a wrong clock had led far away.
            (self.closed, newest, ahead, waiting, idled) = (nil, [:], [:], [:], 0)
            return nil
        }
        return close(closed + 1)
    }

    private mutating func close(_ second: Int64) -> (second: Int64, reports: [ScannerSecond]) {
        let reports = waiting.removeValue(forKey: second) ?? [:]
        closed = second
        newest = newest.filter { $0.value >= second - Self.patience }
        return (second, reports.values.sorted { $0.scanner < $1.scanner })
    }
}
