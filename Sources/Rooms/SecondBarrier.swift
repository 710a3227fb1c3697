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
    /// Beacons' levels that wait, of all scanners and seconds together: about 10 MiB.
    package static let mostRows = 200_000
    /// Up to the year 9999.
    package static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    /// How one scanner's messages come.
    package struct Tally: Hashable, Sendable {
        /// The newest second that it told of, whenever that came.
        package var second: Int64?
        /// Messages that came after their second was complete.
        package var late = 0
        /// Messages of seconds that are far ahead of the other scanners.
        package var ahead = 0
        /// Seconds that were dropped because too much waited.
        package var dropped = 0

        package init(second: Int64? = nil) {
            self.second = second
        }
    }

    private var waiting: [Int64: [String: ScannerSecond]] = [:]
    /// Rows that wait, of each scanner and of all.
    private var rows: [String: Int] = [:]
    package private(set) var rowsWaiting = 0
    /// The newest second of each scanner that is there.
    private var newest: [String: Int64] = [:]
    /// The same of scanners that are far ahead of the others.
    private var ahead: [String: Int64] = [:]
    private var closed: Int64?
    /// Seconds since a report was taken, by the caller's clock.
    private var idled = 0
    package private(set) var tallies: [String: Tally] = [:]

    package init() {}

    /// Of all scanners together: messages that came after their second was complete.
    package var late: Int { tallies.values.reduce(0) { $0 + $1.late } }

    /// The seconds of the scanners that are there.
    package var scanners: [String] { newest.keys.sorted() }

    /// - Returns: whether it was taken.
    @discardableResult
    package mutating func add(_ report: ScannerSecond) -> Bool {
        guard Self.seconds.contains(report.second), newest[report.scanner] != nil || newest.count < Self.mostScanners
        else { return false }
        note(report.scanner) { $0.second = report.second }
        if let middle, report.second > middle + Self.mostAhead {
            if ahead.count >= Self.mostScanners { ahead = [:] }
            ahead[report.scanner] = report.second
            // If most are there, it is not their clocks: time went on while no message came.
            guard ahead.count * 2 > newest.count else {
                note(report.scanner) { $0.ahead += 1 }
                return false
            }
            newest = ahead
            (waiting, rows, rowsWaiting) = ([:], [:], 0)
        }
        ahead[report.scanner] = nil
        if let closed, report.second <= closed {
            note(report.scanner) { $0.late += 1 }
            // It is there: the next seconds wait for it. Otherwise who tells first would be alone for ever.
            if report.second > closed - Self.patience {
                newest[report.scanner] = max(newest[report.scanner] ?? .min, report.second)
            }
            return false
        }
        idled = 0
        if let last = newest[report.scanner], report.second < last - Self.patience {
            // Its clock was set back: what it has told of later seconds was of others.
            for second in waiting.keys where second > report.second { remove(report.scanner, second) }
            newest[report.scanner] = report.second
        }
        newest[report.scanner] = max(newest[report.scanner] ?? .min, report.second)
        remove(report.scanner, report.second)
        waiting[report.second, default: [:]][report.scanner] = report
        rows[report.scanner, default: 0] += Self.rows(report)
        rowsWaiting += Self.rows(report)
        while rowsWaiting > Self.mostRows, dropOne() {}
        return true
    }

    /// A message without beacons takes room, too.
    private static func rows(_ report: ScannerSecond) -> Int { report.heard.count + 1 }

    private mutating func remove(_ scanner: String, _ second: Int64) {
        guard let report = waiting[second]?.removeValue(forKey: scanner) else { return }
        if waiting[second]?.isEmpty == true { waiting[second] = nil }
        count(out: report)
    }

    private mutating func count(out report: ScannerSecond) {
        rowsWaiting -= Self.rows(report)
        let rest = (rows[report.scanner] ?? 0) - Self.rows(report)
        rows[report.scanner] = rest > 0 ? rest : nil
    }

    /// The scanner of which most waits loses its last second.
    ///
    /// - Returns: whether there was one.
    private mutating func dropOne() -> Bool {
        guard let most = rows.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key,
            let last = waiting.filter({ $0.value[most] != nil }).keys.max()
        else { return false }
        remove(most, last)
        note(most) { $0.dropped += 1 }
        return true
    }

    private mutating func note(_ scanner: String, _ body: (inout Tally) -> Void) {
        guard tallies[scanner] != nil || tallies.count < Self.mostScanners else { return }
        body(&tallies[scanner, default: Tally()])
    }

    /// A scanner is no part of the fleet any more.
    package mutating func forget(_ scanner: String) {
        leave(scanner)
        tallies[scanner] = nil
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
            (rows, rowsWaiting) = ([:], 0)
            return nil
        }
        return close(closed + 1)
    }

    private mutating func close(_ second: Int64) -> (second: Int64, reports: [ScannerSecond]) {
        let reports = waiting.removeValue(forKey: second) ?? [:]
        for report in reports.values { count(out: report) }
        closed = second
        newest = newest.filter { $0.value >= second - Self.patience }
        return (second, reports.values.sorted { $0.scanner < $1.scanner })
    }
}
