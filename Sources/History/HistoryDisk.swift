import Beacon
import Events
import Platform
import Reports
import Settings
import Synchronization

/// The database on its own thread: `fsync` may take a second and must not block a thread of the cooperative pool.
final class HistoryDisk: Sendable {
    /// The result of writing.
    struct Outcome {
        /// Intervals that were dropped before.
        var lost = 0
        /// Where a damaged database was moved.
        var movedAside: String?
        /// Beacons with a name or a past.
        var kept: Set<BeaconID> = []
    }

    private struct Contents {
        var store: HistoryStore?
        var clock: RetentionClock?
    }

    private let settings: HistorySettings
    private let queue = BlockingQueue("beacond.history", Contents())
    /// The store that the queue uses, so that other threads can interrupt it.
    private let running = Mutex<HistoryStore?>(nil)

    /// How far in the future a record of a correct clock can be, in seconds.
    private static let horizon = 86_400.0

    init(_ settings: HistorySettings) {
        self.settings = settings
    }

    /// - Returns: where a damaged database was moved, nil if there was none; and the beacons known from earlier runs.
    func open() async throws(HistoryError) -> (movedAside: String?, kept: Set<BeaconID>) {
        try await queue.run { [settings] contents throws(HistoryError) in
            let store = try HistoryStore(settings)
            self.use(store, &contents)
            contents.clock = RetentionClock(days: settings.retentionDays, newest: try store.newest())
            return (store.movedAside, try store.kept())
        }
    }

    private func use(_ store: HistoryStore, _ contents: inout Contents) {
        contents.store = store
        running.withLock { $0 = store }
    }

    /// Interrupts the current work at once, from any thread. Later writes still work.
    func interrupt() {
        running.withLock { $0 }?.interrupt()
    }

    func close() async {
        await queue.run { contents in
            contents.store?.close()
            contents.store = nil
            self.running.withLock { $0 = nil }
        }
    }

    /// Writes everything in the buffer. What cannot be written is put back.
    ///
    /// - Parameter problems: what is wrong with beacons now.
    func write(
        from buffer: HistoryBuffer, names: [BeaconID: String], problems: [ReportedProblem]
    ) async throws(HistoryError) -> Outcome {
        try await queue.run { [settings] contents throws(HistoryError) in
            var (intervals, syncs, lost) = buffer.take()
            var outcome = Outcome(lost: lost)
            func writeAll() throws(HistoryError) {
                guard let store = contents.store else { throw .off }
                while let over = intervals.first {
                    try store.makeRoom()
                    try store.write(
                        over.accumulator.beacons, over.spans, syncs, names: names, dropped: over.accumulator.dropped)
                    syncs = []
                    intervals.removeFirst()
                }
                try store.write(problems, names: names)
                outcome.kept = try store.kept()
            }
            do throws(HistoryError) {
                do throws(HistoryError) {
                    try writeAll()
                } catch  where error.code == .damaged {
                    contents.store?.close()
                    let store = try HistoryStore(settings, isDamaged: true)
                    self.use(store, &contents)
                    outcome.movedAside = store.movedAside
                    try writeAll()
                }
            } catch {
                buffer.putBack(intervals, syncs)
                throw error
            }
            return outcome
        }
    }

    /// Removes or rolls up one portion.
    ///
    /// - Parameter cutoff: older records are removed; nil if none is too old.
    /// - Returns: whether there was work, so that there may be more.
    func tidyPortion(olderThan cutoff: Timestamp?, at now: Timestamp) async throws(HistoryError) -> Bool {
        try await queue.run { contents throws(HistoryError) in
            guard let store = contents.store else { throw .off }
            return try store.tidyPortion(olderThan: cutoff, laterThan: now.advanced(bySeconds: Self.horizon))
        }
    }

    /// Records before this are too old; nil if none is.
    func cutoff(at now: Timestamp) async -> Timestamp? {
        await queue.run { contents in contents.clock?.cutoff(at: now) }
    }

    /// Cancelling the task interrupts its work in the database at once.
    func report(
        since: Timestamp?, until: Timestamp, localTime: LocalTime, names: [BeaconID: String],
        problems: [ReportedProblem], unwritten buffer: HistoryBuffer
    ) async throws(HistoryError) -> HistoryReport {
        let reading = HistoryReading()
        return try await queue.run(onCancel: reading.cancel) { [settings] contents throws(HistoryError) in
            try reading.check()
            guard let store = contents.store else { throw .off }
            // On this queue, no interval can be moving from the buffer to the database.
            let (intervals, syncs) = buffer.unwritten
            let spans = intervals.flatMap(\.spans)
            let beginning = (spans.map(\.begin) + [try store.beginning()].compactMap(\.self)).min()
            let first = max(since ?? beginning ?? until, beginning ?? until)
            let scale = ReportScale(min(first, until)...until)
            var assembly = ReportAssembly(
                span: scale.span, resolution: scale.resolution(interval: settings.interval), localTime: localTime)
            let known = try store.play(
                scale.span, into: &assembly, coarsest: scale.coarsest, except: Set(spans.map(\.id)), as: reading)
            for over in intervals {
                assembly.add(dropped: over.accumulator.dropped)
                for beacon in over.accumulator.beacons { assembly.add(beacon) }
            }
            // The same span may be recorded several times, each time with a later end.
            for span in Dictionary(spans.map { ($0.id, $0) }, uniquingKeysWith: { $1 }).values { assembly.add(span) }
            for sync in syncs { assembly.add(sync) }
            for problem in problems { assembly.add(problem) }
            return assembly.report(names: known.merging(names) { $1 })
        }
    }
}
