/// Collects the seconds of many scanners. A second is complete when every scanner that is there has reported it, or
/// when most are three seconds ahead.
///
/// Completeness depends only on the messages, and not on when they arrive, so that two resolvers see the same.
package struct SecondBarrier: Sendable {
    /// Seconds that a scanner may be behind. After that, the others continue without it, and it counts as gone.
    package static let longestLag: Int64 = 3
    /// Seconds without any message after which no scanner counts as being there.
    package static let longestPause: Int64 = 5
    /// Seconds that a scanner may be ahead of the others. If it is more, its clock is wrong.
    package static let mostAhead: Int64 = 60
    /// Seconds without any report after which everything restarts: the next second is then the first.
    package static let longestIdle = 20
    package static let mostScanners = RoomMap.mostScanners
    /// The maximum number of waiting levels, of all scanners and seconds together: about 10 MiB.
    package static let mostRows = 200_000
    /// Up to the year 9999.
    package static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    /// Counts of one scanner's messages.
    package struct Tally: Hashable, Sendable {
        /// The newest second that it reported, even if that was late.
        package var second: Int64?
        /// Messages that came after their second was complete.
        package var late = 0
        /// Messages for seconds that are far ahead of the other scanners.
        package var ahead = 0
        /// Seconds that were dropped because too many waited.
        package var dropped = 0

        package init(second: Int64? = nil) {
            self.second = second
        }
    }

    private var waiting: [Int64: [String: ScannerSecond]] = [:]
    /// The number of waiting rows, of each scanner and of all.
    private var rows: [String: Int] = [:]
    package private(set) var rowsWaiting = 0
    /// The newest second of each scanner that is there.
    private var newest: [String: Int64] = [:]
    /// The same for scanners that are far ahead of the others.
    private var ahead: [String: Int64] = [:]
    private var closed: Int64?
    /// Seconds since a report was taken, by the caller's clock.
    private var idleSeconds = 0
    package private(set) var tallies: [String: Tally] = [:]
    /// How often the scanners that were far ahead took the place of those that were there. One of them may have left.
    package private(set) var jumps = 0

    package init() {}

    /// Messages of all scanners that came after their second was complete.
    package var late: Int { tallies.values.reduce(0) { $0 + $1.late } }

    /// The names of the scanners that are there.
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
            // If most are that far ahead, their clocks are right: time has passed while no message came.
            guard ahead.count * 2 > newest.count else {
                note(report.scanner) { $0.ahead += 1 }
                return false
            }
            newest = ahead
            jumps += 1
            (waiting, rows, rowsWaiting) = ([:], [:], 0)
        }
        ahead[report.scanner] = nil
        if let closed, report.second <= closed {
            note(report.scanner) { $0.late += 1 }
            // It is there, so the next seconds wait for it. Otherwise the fastest scanner would stay alone for ever.
            if report.second > closed - Self.longestLag {
                newest[report.scanner] = max(newest[report.scanner] ?? .min, report.second)
            }
            return false
        }
        idleSeconds = 0
        if let last = newest[report.scanner], report.second < last - Self.longestLag {
            // Its clock was set back: what it has reported for later seconds is wrong.
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

    /// A message without beacons needs room too.
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

    /// Drops the last second of the scanner with the most waiting rows.
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

    /// A scanner no longer belongs to the fleet.
    package mutating func forget(_ scanner: String) {
        leave(scanner)
        tallies[scanner] = nil
    }

    /// A scanner has reported that it ends.
    package mutating func leave(_ scanner: String) {
        newest[scanner] = nil
    }

    /// The second that most scanners have reached.
    private var middle: Int64? {
        let sorted = newest.values.sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// The next second, if it is complete, with one report from each scanner that reported it.
    package mutating func next() -> (second: Int64, reports: [ScannerSecond])? {
        guard let first = waiting.keys.min(), let middle else { return nil }
        let last = newest.values.max() ?? middle
        // The second after the last one, even if no scanner reported it, because silence is information. Long silence
        // is skipped.
        let second = closed.map { closed in last - closed > Self.mostAhead ? first : closed + 1 } ?? first
        let isComplete = newest.values.allSatisfy { $0 >= second }
        guard isComplete || middle >= second + Self.longestLag else { return nil }
        return close(second)
    }

    /// Returns a second without reports, if nothing was received although time has passed.
    package mutating func idle() -> (second: Int64, reports: [ScannerSecond])? {
        guard let closed else { return nil }
        idleSeconds += 1
        guard idleSeconds <= Self.longestIdle else {
            // Also after a wrong clock had led far ahead.
            (self.closed, newest, ahead, waiting, idleSeconds) = (nil, [:], [:], [:], 0)
            (rows, rowsWaiting) = ([:], 0)
            return nil
        }
        return close(closed + 1)
    }

    private mutating func close(_ second: Int64) -> (second: Int64, reports: [ScannerSecond]) {
        let reports = waiting.removeValue(forKey: second) ?? [:]
        for report in reports.values { count(out: report) }
        closed = second
        newest = newest.filter { $0.value >= second - Self.longestLag }
        return (second, reports.values.sorted { $0.scanner < $1.scanner })
    }
}
