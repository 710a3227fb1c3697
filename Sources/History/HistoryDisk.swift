import Beacon
import Dispatch
import Events
import Reports

/// The database on a thread of its own: `fsync` may take a second, and must hold no thread of the cooperative pool.
final class HistoryDisk: Sendable {
    /// What came of writing.
    struct Outcome {
        /// Intervals that were lost before.
        var lost = 0
        /// Where a damaged database was moved.
        var movedAside: String?
    }

    /// Used on the queue only, which is what makes it safe to be sent there.
    private final class Contents: @unchecked Sendable {
        var store: HistoryStore?
        var clock: RetentionClock?
    }

    private let settings: HistorySettings
    private let contents = Contents()
    private let queue = DispatchQueue(label: "beacond.history")

    /// How far ahead of now anything can be that was recorded by a clock that was right, in seconds.
    private static let horizon = 86_400.0

    init(_ settings: HistorySettings) {
        self.settings = settings
    }

    /// - Returns: where a damaged database was moved; nil where there was none.
    func open() async throws(HistoryError) -> String? {
        try await onQueue { contents, settings throws(HistoryError) in
            let store = try HistoryStore(settings)
            contents.store = store
            contents.clock = RetentionClock(days: settings.retentionDays, newest: try store.newest())
            return store.movedAside
        }
    }

    func close() async {
        _ = try? await onQueue { contents, _ in
            contents.store?.close()
            contents.store = nil
        }
    }

    /// Writes all that the desk has, and tidies up. What cannot be written is put back.
    func write(
        from desk: HistoryDesk, names: [BeaconID: String], at now: Timestamp
    ) async throws(HistoryError) -> Outcome {
        try await onQueue { contents, settings throws(HistoryError) in
            var (intervals, syncs, lost) = desk.take()
            var outcome = Outcome(lost: lost)
            func writeAll() throws(HistoryError) {
                guard let store = contents.store else { throw .off }
                while let over = intervals.first {
                    try store.write(over.accumulator.beacons, over.spans, syncs, names: names)
                    syncs = []
                    intervals.removeFirst()
                }
                try store.tidy(
                    olderThan: contents.clock?.cutoff(at: now), laterThan: now.advanced(bySeconds: Self.horizon))
            }
            do throws(HistoryError) {
                do throws(HistoryError) {
                    try writeAll()
                } catch where error.code == .damaged {
                    contents.store?.close()
                    let store = try HistoryStore(settings, isDamaged: true)
                    contents.store = store
                    outcome.movedAside = store.movedAside
                    try writeAll()
                }
            } catch {
                desk.putBack(intervals, syncs)
                throw error
            }
            return outcome
        }
    }

    func report(
        since: Timestamp?, until: Timestamp, localTime: LocalTime, names: [BeaconID: String], unwritten desk: HistoryDesk
    ) async throws(HistoryError) -> HistoryReport {
        try await onQueue { contents, settings throws(HistoryError) in
            guard let store = contents.store else { throw .off }
            // Here nothing is between the desk and the database.
            let (intervals, syncs) = desk.unwritten
            let spans = intervals.flatMap(\.spans)
            let beginning = (spans.map(\.begin) + [try store.beginning()].compactMap(\.self)).min()
            let first = max(since ?? beginning ?? until, beginning ?? until)
            var assembly = ReportAssembly(
                span: min(first, until)...until, resolution: settings.interval, localTime: localTime)
            let known = try store.play(min(first, until)...until, into: &assembly, except: Set(spans.map(\.id)))
            for over in intervals {
                for beacon in over.accumulator.beacons { assembly.add(beacon) }
            }
            // The same span may be told more than once, with a later end each time.
            for span in Dictionary(spans.map { ($0.id, $0) }, uniquingKeysWith: { $1 }).values { assembly.add(span) }
            for sync in syncs { assembly.add(sync) }
            return assembly.report(names: known.merging(names) { $1 })
        }
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable (Contents, HistorySettings) throws(HistoryError) -> Value
    ) async throws(HistoryError) -> Value {
        let result: Result<Value, HistoryError> = await withCheckedContinuation { continuation in
            queue.async { [contents, settings] in
                let result: Result<Value, HistoryError>
                do throws(HistoryError) {
                    result = .success(try body(contents, settings))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
