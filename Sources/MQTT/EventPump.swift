import Beacon
import Content
import Events
import Platform

/// Moves events from the hub to the queue. They are written to disk before they may be sent.
struct EventPump: Sendable {
    private let queue: PublishQueue
    private let hub: EventHub
    private let subscription: EventSubscription
    private let text: EventText
    /// A write may take long on a slow card, and must not block a thread of the cooperative pool.
    private let disk = BlockingQueue("beacond.mqtt.disk")

    /// - Parameter keeping: how many events the hub keeps for this reader: as many as the outbox holds.
    init(hub: EventHub, queue: PublishQueue, keeping: Int) {
        self.hub = hub
        self.queue = queue
        text = EventText(names: hub.names)
        // After a restart of the daemon, all of its events; after a reload, those since the last one in the outbox.
        let last = queue.withState { $0.outbox.lastEvent }
        subscription = hub.subscribe(after: last ?? 0, wantsStates: true, keeping: keeping)
    }

    func run() async {
        queue.withState { $0.update(hub.snapshot) }
        while let batch = await subscription.next() { await take(batch) }
    }

    /// Takes the events that arrived before the end.
    func drain() async {
        while let batch = subscription.take().batch { await take(batch) }
    }

    private func take(_ batch: EventBatch) async {
        await disk.run { add(batch) }
        queue.wake.wake()
    }

    private func add(_ batch: EventBatch) {
        let news = batch.records.map { (record: $0, json: text.json($0)) }
        let isAboutScanner = batch.records.contains(where: \.event.isAboutScanner)
        let snapshot = hub.snapshot
        let (dropped, problems, namesLeftOut) = queue.withState { state -> (Int, [OutboxProblems.Action], Bool?) in
            let before = state.outbox.dropped
            state.outbox.lose(batch.missed)
            let entries = news.map { news in
                state.outbox.add(event: news.record.id, kind: news.record.event.kind, json: news.json)
            }
            state.file.append(entries, of: state.outbox)
            if !state.isConnected { state.file.synchronize(at: .now) }
            for (record, json) in news {
                if case .content = record.event { state.states.showContent(json) }
            }
            // The site's list of a previous run is known without an event.
            if !snapshot.isSiteConfigured || snapshot.site.revision != nil { state.states.siteIsKnown() }
            // The revision changes a moment after the event about the site's list, and at first without one.
            if isAboutScanner || state.toldRevision != snapshot.site.revision { state.update(snapshot) }
            if state.toldHealth != snapshot.healthChanges {
                state.toldHealth = snapshot.healthChanges
                state.states.update(snapshot.health)
            }
            if let (ranking, isBlind) = batch.ranking {
                state.states.update(ranking, isBlind: isBlind, isSettled: snapshot.isSettled)
                if let regions = snapshot.regions { state.states.update(regions: regions) }
            }
            let dropped = state.outbox.dropped - before
            if dropped > 0 { state.states.note(waiting: state.outbox.count, dropped: state.outbox.dropped) }
            let problems = state.problems.note(
                isDropping: dropped > 0, hasRoom: state.outbox.hasRoom, disk: state.file.problem)
            return (dropped, problems, state.states.takeLeftOut())
        }
        hub.noteDropped(dropped, by: "mqtt")
        if let namesLeftOut { tellNames(areLeftOut: namesLeftOut) }
        for problem in problems {
            switch problem {
            // Nothing is tried again: events go on to be dropped, or to wait in memory.
            case .report(let text): hub.publish(.trouble(part: Self.part, problem: text, retry: nil))
            case .ended: hub.publish(.mended(part: Self.part))
            }
        }
    }

    private func tellNames(areLeftOut: Bool) {
        guard areLeftOut else { return hub.publish(.mended(part: Self.namesPart)) }
        let problem =
            "more than \(NamedBeacons.most) beacons have names: only those are published that the configuration names, "
            + "then those that are received, then the first of the others"
        hub.publish(.trouble(part: Self.namesPart, problem: problem, retry: nil))
    }

    static let part = "mqtt outbox"
    static let namesPart = "mqtt names"
}

extension PublishQueue.State {
    /// Takes the daemon's state for that of the scanner.
    fileprivate mutating func update(_ snapshot: EventHub.Snapshot) {
        toldRevision = snapshot.site.revision
        states.update(snapshot, at: WallClock.now)
    }
}

extension DaemonEvent {
    /// Whether the event changes the scanner's state.
    fileprivate var isAboutScanner: Bool {
        switch self {
        case .listening, .lost, .over, .hearing: true
        // A source may have been removed.
        case .configuration(let isGood, _): isGood
        default: false
        }
    }
}
