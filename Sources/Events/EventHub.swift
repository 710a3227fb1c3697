package import Beacon
package import Content
import DequeModule
import Health
import Platform
package import Ranging
import Synchronization

/// Everything that the daemon knows and reports, in one place. Every output reads from here.
///
/// Events are kept in a ring, so that a slow or returning reader continues where it stopped, and no reader delays
/// another. Rankings and progress are not kept: only their newest state matters.
package final class EventHub: Sendable {
    struct State {
        var ring: Deque<EventRecord> = []
        var nextID: EventRecord.ID
        var snapshot = Snapshot()
        /// Increases with every progress event.
        var progresses: UInt64 = 0
        var waiting: [UInt64: (isForStates: Bool, CheckedContinuation<Void, Never>)] = [:]
        var nextWaiter: UInt64 = 0
        /// The first event number of this run.
        let firstID: EventRecord.ID
        /// Readers for which events are kept beyond the ring's length: their last event, and how many are kept for
        /// them.
        var held: [UInt64: (lastID: EventRecord.ID, most: Int)] = [:]
        /// Events that were lost, by reader.
        var dropped: [String: Int] = [:]
        var isFinished = false

        init(firstID: EventRecord.ID) {
            self.firstID = firstID
            nextID = firstID
        }
    }

    package let names: Names
    let state: Mutex<State>
    private let presenters: [any Presenter]
    private let capacity: Int
    private let now: @Sendable () -> Timestamp
    /// Keeps numbering and presenting in the same order. Presenters are called while it is locked.
    private let order = Mutex(())

    /// - Parameters:
    ///   - presenters: get everything at once, in order.
    ///   - capacity: how many events are kept for later readers.
    ///   - lastID: the last number of an earlier run, so that numbers increase even if the clock was set back.
    ///   - now: the clock.
    package init(
        names: Names, presenters: [any Presenter] = [], capacity: Int = 4096,
        after lastID: EventRecord.ID = 0, now: @escaping @Sendable () -> Timestamp = { WallClock.now }
    ) {
        self.names = names
        self.presenters = presenters
        self.capacity = max(1, capacity)
        self.now = now
        state = Mutex(State(firstID: max(UInt64(clamping: max(1, now().microseconds)), lastID + 1)))
    }

    /// The time of the clock that stamps events.
    package var time: Timestamp { now() }

    /// The current state.
    package var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// The number of the last event; one less than the first number if there was none yet.
    package var lastID: EventRecord.ID { state.withLock { $0.nextID - 1 } }

    /// Publishes an event.
    package func publish(_ event: DaemonEvent) {
        order.withLock { _ in
            let time = now()
            let (record, readers) = state.withLock { state in
                let isKept = !event.isPassing
                let record = EventRecord(id: isKept ? state.nextID : 0, time: time, event: event)
                state.snapshot.note(record)
                if isKept {
                    state.nextID += 1
                    state.ring.append(record)
                    state.trim(to: capacity)
                }
                // A content event completes the progress before it.
                if case .content = event { state.progresses += 1 }
                return (record, state.takeWaiting(forStates: !isKept))
            }
            for reader in readers { reader.resume() }
            for presenter in presenters { presenter.show(record) }
        }
    }

    /// Publishes the ranking of a tick.
    ///
    /// - Parameters:
    ///   - isSettled: a beacon that is not in it is absent.
    ///   - regions: all regions; nil if no beacon has entered or left one since they were last passed.
    package func publish(
        _ ranking: Ranking, isBlind: Bool, isSettled: Bool = true, regions: [RegionState]? = nil
    ) {
        names.meet(ranking.beacons.lazy.map(\.id))
        order.withLock { _ in
            let readers = state.withLock { state in
                state.snapshot.ranking = ranking
                state.snapshot.isBlind = isBlind
                state.snapshot.isSettled = isSettled
                if let regions { state.snapshot.regions = regions }
                state.snapshot.rankings += 1
                return state.takeWaiting(forStates: true)
            }
            for reader in readers { reader.resume() }
            for presenter in presenters { presenter.show(ranking, isBlind: isBlind) }
        }
    }

    /// Publishes the state of the content site.
    package func publish(_ status: SiteStatus) {
        state.withLock { $0.snapshot.site = status }
    }

    /// Notes whether the configuration has a content site.
    package func noteSite(isConfigured: Bool) {
        state.withLock { $0.snapshot.isSiteConfigured = isConfigured }
    }

    /// Publishes the state of reporting to the site; nil if nothing is reported any more.
    package func publish(_ status: ReportStatus?) {
        state.withLock { $0.snapshot.reports = status }
    }

    /// Publishes the health of all beacons.
    package func publish(_ health: HealthState) {
        // After a restart, a missing beacon has not been in any ranking yet.
        names.meet(health.beacons.lazy.map(\.beacon))
        state.withLock { state in
            if !state.snapshot.health.hasSameProblems(as: health) { state.snapshot.healthChanges += 1 }
            state.snapshot.health = health
        }
    }

    /// Forgets the sources that are no longer used.
    package func keepSources(_ sources: [String]) {
        state.withLock { $0.snapshot.sources.removeAll { !sources.contains($0.source) } }
    }

    /// Forgets which content is wanted, after the part that fetches it has ended. No event reports this.
    package func forgetContent() {
        state.withLock { state in
            state.snapshot.content = nil
            guard !state.snapshot.progress.isEmpty else { return }
            state.snapshot.progress = []
            state.progresses += 1
        }
    }

    /// Forgets the failure of a part that has ended in order. No event reports this.
    package func forgetFailure(of part: String) {
        state.withLock { $0.snapshot.failing.removeAll { $0.part == part } }
    }

    /// A new reader. See `EventSubscription`.
    ///
    /// - Parameters:
    ///   - id: the last event that the reader has; nil for "from now on".
    ///   - wantsStates: also rankings and progress.
    ///   - keeping: how many events to keep for this reader when it is too slow for the ring. Only for readers in the
    ///     daemon itself: nobody outside may fill its memory.
    package func subscribe(
        after id: EventRecord.ID? = nil, wantsStates: Bool = false, keeping: Int = 0
    ) -> EventSubscription {
        EventSubscription(hub: self, after: id ?? lastID, wantsStates: wantsStates, keeping: keeping)
    }

    /// Events that were not delivered, by output: `mqtt`, `hooks` …
    package var dropped: [String: Int] { state.withLock { $0.dropped } }

    /// Counts events that were not delivered.
    package func noteDropped(_ count: Int, by reader: String) {
        guard count > 0 else { return }
        state.withLock { $0.dropped[reader, default: 0] += count }
    }

    /// Ends the stream of events: readers get the remaining ones and then nil.
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return state.takeWaiting(forStates: false)
        }
        for reader in readers { reader.resume() }
    }
}

extension EventHub.State {
    /// Removes the oldest events, except those that a reader still needs.
    fileprivate mutating func trim(to capacity: Int) {
        while ring.count > capacity, let first = ring.first {
            let isWanted = held.values.contains { first.id > $0.lastID && ring.count <= $0.most }
            guard !isWanted else { return }
            ring.removeFirst()
        }
    }

    /// The readers that wait for this change. States wake only readers that want states.
    mutating func takeWaiting(forStates: Bool) -> [CheckedContinuation<Void, Never>] {
        let woken = waiting.filter { !forStates || $0.value.isForStates }
        for key in woken.keys { waiting[key] = nil }
        return woken.values.map(\.1)
    }
}
