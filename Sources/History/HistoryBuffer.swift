package import Beacon
import DequeModule
import Events
import Platform
package import Ranging
package import Reports
import Synchronization

/// Records what ranging observes while the daemon runs, and keeps it until it is written to disk.
///
/// Ranging never waits for the disk: finished intervals wait here, and if there are too many, the oldest are dropped.
package final class HistoryBuffer: RangingObserver {
    fileprivate struct State {
        var recorder: ObservationRecorder?
        var waiting: Deque<RecordedInterval> = []
        var syncs: [SyncResult] = []
        var lost = 0
        var service: HistoryService?
        var signal: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// The maximum number of intervals that wait for the disk, and of beacons in all of them.
    fileprivate static let mostWaiting = (intervals: 60, beacons: 20_000)
    private static let mostSyncs = 2000

    private let clock: @Sendable () -> Timestamp

    /// - Parameter clock: returns the current time.
    package init(clock: @escaping @Sendable () -> Timestamp = { WallClock.now }) {
        self.clock = clock
    }

    /// The current time.
    package var now: Timestamp { clock() }

    package func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        state.withLock { state in
            guard let over = state.recorder?.observe(sightings, ranking, events, isBlind: isBlind) else { return }
            state.waiting.append(over)
            state.bound()
            state.signal?.yield()
        }
    }

    /// A report of the history.
    ///
    /// - Parameters:
    ///   - since: the start; nil for the beginning of the history.
    ///   - until: the end; nil for now.
    package func report(
        since: Timestamp?, until: Timestamp? = nil, localTime: LocalTime = .current
    ) async throws(HistoryError) -> HistoryReport {
        guard let service = state.withLock({ $0.service }) else { throw .off }
        return try await service.report(since: since, until: until, localTime: localTime)
    }

    // MARK: - For the service

    /// - Parameter room: decides which beacons have room in an interval.
    func begin(_ service: HistoryService, interval: Int, room: RecordingRoom) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.recorder = ObservationRecorder(interval: interval, room: room)
            state.service = service
            state.signal = continuation
        }
        return stream
    }

    /// Changes which beacons have room.
    func use(_ room: RecordingRoom) {
        state.withLock { $0.recorder?.room = room }
    }

    /// Whether an interval waits to be written.
    var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Ends recording. What was recorded can still be taken.
    func end(_ service: HistoryService) {
        state.withLock { state in
            guard state.service === service else { return }
            if let last = state.recorder?.finish() { state.waiting.append(last) }
            state.recorder = nil
            state.service = nil
            state.signal?.finish()
            state.signal = nil
        }
    }

    /// Returns false if too many wait already.
    func note(_ sync: SyncResult) -> Bool {
        state.withLock { state in
            guard state.syncs.count < Self.mostSyncs else { return false }
            state.syncs.append(sync)
            return true
        }
    }

    /// Takes what waits to be written, and how many intervals were dropped because too many waited.
    func take() -> (intervals: [RecordedInterval], syncs: [SyncResult], lost: Int) {
        state.withLock { state in
            defer { (state.waiting, state.syncs, state.lost) = ([], [], 0) }
            return (Array(state.waiting), state.syncs, state.lost)
        }
    }

    /// Puts back what could not be written.
    func putBack(_ intervals: [RecordedInterval], _ syncs: [SyncResult], lost: Int) {
        state.withLock { state in
            state.lost += lost
            state.waiting.prepend(contentsOf: intervals)
            state.syncs.insert(contentsOf: syncs.prefix(Self.mostSyncs - min(Self.mostSyncs, state.syncs.count)), at: 0)
            state.bound()
        }
    }

    /// What is not written yet, including the current interval.
    var unwritten: (intervals: [RecordedInterval], syncs: [SyncResult]) {
        state.withLock { state in
            (Array(state.waiting) + (state.recorder?.running.map { [$0] } ?? []), state.syncs)
        }
    }
}

extension HistoryBuffer.State {
    fileprivate mutating func bound() {
        let most = HistoryBuffer.mostWaiting
        while waiting.count > 1,
            waiting.count > most.intervals || waiting.reduce(0, { $0 + $1.accumulator.beaconCount }) > most.beacons
        {
            waiting.removeFirst()
            lost += 1
        }
    }
}
