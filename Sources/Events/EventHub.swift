public import Beacon
public import Content
import DequeModule
public import Radio
public import Ranging
import Synchronization

/// What the daemon knows and notices, in one place: whatever tells it to others reads here.
///
/// Events are kept in a ring, so that a reader that is slow, or comes back, goes on where it was, and none holds up
/// another. Rankings and progress are not kept: only their newest state counts.
public final class EventHub: Sendable {
    struct State {
        var ring: Deque<EventRecord> = []
        var nextID: EventRecord.ID
        var snapshot = Snapshot()
        /// Rises with every ranking and every progress.
        var rankings: UInt64 = 0
        var progresses: UInt64 = 0
        var waiting: [UInt64: (isForStates: Bool, CheckedContinuation<Void, Never>)] = [:]
        var nextWaiter: UInt64 = 0
        var isFinished = false
    }

    /// What is true now.
    public struct Snapshot: Sendable {
        /// Nil before the first tick.
        public var ranking: Ranking?
        public var isBlind = true
        /// By the source as it is written, in the order in which they were first heard of.
        public var sources: [SourceState] = []
        /// The last thing that was told of the content that is wanted now.
        public var content: ContentEvent?
        /// What is being fetched.
        public var progress: [(beacon: BeaconID?, progress: ContentProgress)] = []
        /// The last revision of the site that was told; nil where none was.
        public var revision: Int64?
        /// The last problem with the site's list, nil where there is none.
        public var siteProblem: String?
    }

    /// How a source is.
    public struct SourceState: Sendable, Hashable {
        public enum State: String, Sendable, Hashable {
            case listening, lost, over
        }

        public var source: String
        public var state: State
        /// How it is listened to, or what is wrong.
        public var detail: String
        /// When it came into this state.
        public var since: Timestamp
    }

    public let names: Names
    let state: Mutex<State>
    private let presenters: [any Presenter]
    private let capacity: Int
    private let now: @Sendable () -> Timestamp
    /// Numbers and presents in the same order. Presenters are called within it.
    private let order = Mutex(())

    /// - Parameters:
    ///   - presenters: told everything at once, in order.
    ///   - capacity: events that are kept for readers that come later.
    ///   - now: the clock.
    public init(
        names: Names, presenters: [any Presenter] = [], capacity: Int = 4096,
        now: @escaping @Sendable () -> Timestamp = { WallClock.now }
    ) {
        self.names = names
        self.presenters = presenters
        self.capacity = max(1, capacity)
        self.now = now
        state = Mutex(State(nextID: UInt64(clamping: max(1, now().microseconds))))
    }

    /// The time on the clock by which events are stamped.
    public var time: Timestamp { now() }

    /// What is true now.
    public var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// The number of the last event; one less than the first's where there was none yet.
    public var lastID: EventRecord.ID { state.withLock { $0.nextID - 1 } }

    /// Takes in what was noticed.
    public func show(_ event: DaemonEvent) {
        order.withLock { _ in
            let time = now()
            let (record, readers) = state.withLock { state in
                let isKept = !event.isPassing
                let record = EventRecord(id: isKept ? state.nextID : 0, time: time, event: event)
                state.snapshot.note(record)
                if isKept {
                    state.nextID += 1
                    if state.ring.count >= capacity { state.ring.removeFirst() }
                    state.ring.append(record)
                }
                // What was fetched is complete with the event that says so.
                if case .content = event { state.progresses += 1 }
                return (record, state.takeWaiting(forStates: !isKept))
            }
            for reader in readers { reader.resume() }
            for presenter in presenters { presenter.show(record) }
        }
    }

    /// Takes in the ranking of a tick.
    public func show(_ ranking: Ranking, isBlind: Bool) {
        order.withLock { _ in
            let readers = state.withLock { state in
                state.snapshot.ranking = ranking
                state.snapshot.isBlind = isBlind
                state.rankings += 1
                return state.takeWaiting(forStates: true)
            }
            for reader in readers { reader.resume() }
            for presenter in presenters { presenter.show(ranking, isBlind: isBlind) }
        }
    }

    /// Forgets the sources that are not listened to any more.
    public func keepSources(_ sources: [String]) {
        state.withLock { $0.snapshot.sources.removeAll { !sources.contains($0.source) } }
    }

    /// A reader of its own. See `EventSubscription`.
    ///
    /// - Parameters:
    ///   - id: the last event that the reader has; nil for "from now on".
    ///   - wantsStates: rankings and progress as well.
    public func subscribe(after id: EventRecord.ID? = nil, wantsStates: Bool = false) -> EventSubscription {
        EventSubscription(hub: self, after: id ?? lastID, wantsStates: wantsStates)
    }

    /// No more will come: readers get what is left, and then nil.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return state.takeWaiting(forStates: false)
        }
        for reader in readers { reader.resume() }
    }
}

extension EventHub.State {
    /// Those who wait for what has come. States wake only those who want them.
    mutating func takeWaiting(forStates: Bool) -> [CheckedContinuation<Void, Never>] {
        let woken = waiting.filter { !forStates || $0.value.isForStates }
        for key in woken.keys { waiting[key] = nil }
        return woken.values.map(\.1)
    }
}

extension EventHub.Snapshot {
    fileprivate mutating func note(_ record: EventRecord) {
        switch record.event {
        case .listening(let source, let how): note(source, .listening, how, record.time)
        case .lost(let source, let problem, _): note(source, .lost, problem, record.time)
        case .over(let source): note(source, .over, "", record.time)
        case .hearing(let hearing): isBlind = hearing == .blind
        case .content(let event): note(event)
        case .site(.changed(let revision)):
            self.revision = revision
            siteProblem = nil
        case .site(.refused(let error)): siteProblem = "\(error)"
        case .site(.recovered): siteProblem = nil
        case .ranging, .site, .synced, .trouble, .mended, .configuration: break
        }
    }

    private mutating func note(_ source: String, _ state: EventHub.SourceState.State, _ detail: String, _ time: Timestamp) {
        let new = EventHub.SourceState(source: source, state: state, detail: detail, since: time)
        if let index = sources.firstIndex(where: { $0.source == source }) {
            sources[index] = new
        } else {
            sources.append(new)
        }
    }

    private mutating func note(_ event: ContentEvent) {
        progress.removeAll { $0.beacon == event.beacon }
        if case .progress(let beacon, let news) = event {
            if news.bytes < news.totalBytes { progress.append((beacon, news)) }
        } else {
            content = event
        }
    }
}
