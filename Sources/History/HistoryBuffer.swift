package import Beacon
import DequeModule
import Events
import Platform
package import Ranging
package import Reports
import Synchronization

/// Sees what ranging sees, for as long as the daemon runs, and keeps it for whoever writes it down.
///
/// Ranging never waits for the disk: intervals that are over wait here, and where they are too many, the oldest go.
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

    /// Intervals that wait for the disk at most, and beacons in all of them.
    fileprivate static let mostWaiting = (intervals: 60, beacons: 20_000)
    private static let mostSyncs = 2000

    private let clock: @Sendable () -> Timestamp

    /// - Parameter clock: what time it is.
    package init(clock: @escaping @Sendable () -> Timestamp = { WallClock.now }) {
        self.clock = clock
    }

    /// What time it is.
    package var now: Timestamp { clock() }

    package func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        state.withLock { state in
            guard let over = state.recorder?.observe(sightings, ranking, events, isBlind: isBlind) else { return }
            state.waiting.append(over)
            state.bound()
            state.signal?.yield()
        }
    }

    /// The history up to now.
    ///
    /// - Parameters:
    ///   - since: nil for all that there is.
    ///   - until: nil for now.
    package func report(
        since: Timestamp?, until: Timestamp? = nil, localTime: LocalTime = .current
    ) async throws(HistoryError) -> HistoryReport {
        guard let service = state.withLock({ $0.service }) else { throw .off }
        return try await service.report(since: since, until: until, localTime: localTime)
    }

    // MARK: - For the service

    /// - Parameter room: which beacons have room in an interval.
    func begin(_ service: HistoryService, interval: Int, room: RecordingRoom) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.recorder = ObservationRecorder(interval: interval, room: room)
            state.service = service
            state.signal = continuation
        }
        return stream
    }

    /// Who has room changes.
    func use(_ room: RecordingRoom) {
        state.withLock { $0.recorder?.room = room }
    }

    /// Whether an interval waits to be written.
    var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// No more is recorded. What was is left to be taken.
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

    /// False where too many wait already.
    func note(_ sync: SyncResult) -> Bool {
        state.withLock { state in
            guard state.syncs.count < Self.mostSyncs else { return false }
            state.syncs.append(sync)
            return true
        }
    }

    /// What waits to be written, and how many intervals were lost because they had waited for too long.
    func take() -> (intervals: [RecordedInterval], syncs: [SyncResult], lost: Int) {
        state.withLock { state in
            defer { (state.waiting, state.syncs, state.lost) = ([], [], 0) }
            return (Array(state.waiting), state.syncs, state.lost)
        }
    }

    /// What could not be written waits again.
    func putBack(_ intervals: [RecordedInterval], _ syncs: [SyncResult]) {
        state.withLock { state in
            state.waiting.prepend(contentsOf: intervals)
            state.syncs.insert(contentsOf: syncs.prefix(Self.mostSyncs - min(Self.mostSyncs, state.syncs.count)), at: 0)
            state.bound()
        }
    }

    /// What is not written yet, the interval that goes on included.
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
