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
        var database: MendedStore<HistoryStore>
        var clock: RetentionClock?

        /// Works with the database if it was opened.
        mutating func use<Result>(
            _ work: (HistoryStore) throws(HistoryError) -> Result
        ) throws(HistoryError) -> Result {
            guard database.isInUse else { throw .off }
            return try database.use(work)
        }

        /// The open database.
        var opened: HistoryStore {
            get throws(HistoryError) {
                guard database.isInUse else { throw .off }
                guard let store = database.store else { throw .missing }
                return store
            }
        }
    }

    private let settings: HistorySettings
    /// Whether the system's clock is kept correct; nil if this is unknown.
    private let isSynchronised: @Sendable () -> Bool?
    private let queue: BlockingQueue<Contents>
    /// The store that the queue uses, so that other threads can interrupt it.
    private let running: Running

    private final class Running: Sendable {
        let store = Mutex<HistoryStore?>(nil)
    }

    init(_ settings: HistorySettings, isSynchronised: @escaping @Sendable () -> Bool?) {
        self.settings = settings
        self.isSynchronised = isSynchronised
        let running = Running()
        self.running = running
        queue = BlockingQueue(
            "beacond.history",
            Contents(
                database: MendedStore(settings.file) { () throws(HistoryError) in
                    let store = try HistoryStore(settings)
                    running.store.withLock { $0 = store }
                    return store
                }))
    }

    /// - Returns: where a damaged database was moved, nil if there was none; and the beacons known from earlier runs.
    func open(at now: Timestamp) async throws(HistoryError) -> (movedAside: String?, kept: Set<BeaconID>) {
        try await queue.run { [settings] contents throws(HistoryError) in
            let (newest, settled, kept) = try contents.database.use { store throws(HistoryError) in
                (try store.newest(), try store.newest(upTo: RetentionClock.settledEnd(at: now)), try store.kept())
            }
            contents.clock = RetentionClock(days: settings.retentionDays, newest: newest, settled: settled)
            return (contents.database.takeMoved(), kept)
        }
    }

    /// Interrupts the current work at once, from any thread. Later writes still work.
    func interrupt() {
        running.store.withLock { $0 }?.interrupt()
    }

    func close() async {
        await queue.run { contents in
            contents.database.close()
            self.running.store.withLock { $0 = nil }
        }
    }

    /// Writes everything in the buffer. What cannot be written is put back.
    ///
    /// - Parameter problems: the current problems of beacons.
    func write(
        from buffer: HistoryBuffer, names: [BeaconID: String], problems: [ReportedProblem]
    ) async throws(HistoryError) -> Outcome {
        try await queue.run { contents throws(HistoryError) in
            var (intervals, syncs, lost) = buffer.take()
            func writeAll(_ store: HistoryStore) throws(HistoryError) -> Set<BeaconID> {
                while let over = intervals.first {
                    try store.makeRoom()
                    try store.write(over, syncs, names: names)
                    syncs = []
                    intervals.removeFirst()
                }
                if !syncs.isEmpty {
                    try store.write([], [], syncs, names: names)
                    syncs = []
                }
                try store.write(problems, names: names)
                return try store.kept()
            }
            do throws(HistoryError) {
                var outcome = Outcome(lost: lost)
                do throws(HistoryError) {
                    outcome.kept = try contents.use(writeAll)
                } catch where error.code == .damaged {
                    outcome.kept = try contents.use(writeAll)
                }
                outcome.movedAside = contents.database.takeMoved()
                return outcome
            } catch {
                buffer.putBack(intervals, syncs, lost: lost)
                throw error
            }
        }
    }

    /// Removes or rolls up one portion.
    ///
    /// - Parameters:
    ///   - cutoff: older records are removed; nil if none is too old.
    ///   - horizon: later records are removed; nil if none is too late.
    /// - Returns: whether there was work, so that there may be more.
    func tidyPortion(olderThan cutoff: Timestamp?, laterThan horizon: Timestamp?) async throws(HistoryError) -> Bool {
        try await queue.run { contents throws(HistoryError) in
            try contents.use { store throws(HistoryError) in
                try store.tidyPortion(olderThan: cutoff, laterThan: horizon)
            }
        }
    }

    /// Records before the cutoff are too old, and those after the horizon too late; nil if none is.
    func limits(at now: Timestamp) async -> (cutoff: Timestamp?, horizon: Timestamp?) {
        await queue.run { [isSynchronised] contents in
            (
                contents.clock?.cutoff(at: now),
                contents.clock?.horizon(at: now, isSynchronised: isSynchronised)
            )
        }
    }

    /// Cancelling the task interrupts its work in the database at once.
    func report(
        since: Timestamp?, until: Timestamp, localTime: LocalTime, names: [BeaconID: String],
        problems: [ReportedProblem], unwritten buffer: HistoryBuffer
    ) async throws(HistoryError) -> HistoryReport {
        let reading = HistoryReading()
        return try await queue.run(onCancel: reading.cancel) { [settings] contents throws(HistoryError) in
            try reading.check()
            let store = try contents.opened
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
                for beacon in over.accumulator.eachBeacon { assembly.add(beacon) }
            }
            // The same span may be recorded several times, each time with a later end.
            for span in Dictionary(spans.map { ($0.id, $0) }, uniquingKeysWith: { $1 }).values { assembly.add(span) }
            for sync in syncs { assembly.add(sync) }
            for problem in problems { assembly.add(problem) }
            var report = assembly.report(names: known.merging(names) { $1 })
            report.historyBegins = beginning
            return report
        }
    }
}
