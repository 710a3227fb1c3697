import Beacon
import Console
import Events
import PrometheusMetrics
import Listening
import Metrics
import Platform
import Radio
import Ranging
import ServiceLifecycle
import Synchronization

/// From sightings to rankings and events. It runs as long as the daemon does: other settings are applied to what it
/// knows.
final class RangingService: Service {
    private struct State {
        var ranger: Ranger
        /// The ranger goes by steady time, and everybody else by the wall clock's.
        var time = SteadyTime()
        var interval: Double
        /// Told with the next tick.
        var pending: [RangingEvent] = []

        /// Now, in steady time.
        mutating func now() -> Timestamp { time.advance(wall: WallClock.now, elapsed: SteadyClock.elapsed) }
    }

    private let feed: SightingFeed
    private let combined: CombinedHearing
    private let hub: EventHub
    private let observers: [any RangingObserver]
    /// Called with the nearest beacon whenever it changes, and once at the start.
    private let nearest: @Sendable (BeaconID?) async -> Void
    /// Called with what is heard, the nearest first, whenever its order has changed.
    private let inRange: @Sendable ([BeaconID]) async -> Void
    private let state: Mutex<State>
    private let cost = Timer(label: Metric.tickDuration.name)
    private let pace = RangingPace()

    init(
        feed: SightingFeed, combined: CombinedHearing, hub: EventHub, settings: RangingSettings, interval: Double,
        observers: [any RangingObserver], nearest: @escaping @Sendable (BeaconID?) async -> Void,
        inRange: @escaping @Sendable ([BeaconID]) async -> Void
    ) {
        self.feed = feed
        self.combined = combined
        self.hub = hub
        self.observers = observers
        self.nearest = nearest
        self.inRange = inRange
        state = Mutex(State(ranger: Ranger(settings: settings), interval: interval))
    }

    /// Goes on with other settings.
    ///
    /// - Returns: whether they differ.
    func apply(_ settings: RangingSettings, interval: Double) -> Bool {
        state.withLock { state in
            let isNew = settings.validated != state.ranger.settings || interval != state.interval
            state.pending += state.ranger.apply(settings, at: state.now())
            state.interval = interval
            return isNew
        }
    }

    /// Why a beacon is seen as it is now; nil where it was not heard.
    func explanation(of id: BeaconID) -> BeaconExplanation? {
        state.withLock { state in
            state.ranger.explanation(of: id, at: state.now()).map(state.time.wall)
        }
    }

    /// Who is in which region.
    var regions: [RegionState] { state.withLock { state in state.ranger.regionStates.map(state.time.wall) } }

    /// The beacons that are tracked, in no order.
    var tracked: [BeaconID] { state.withLock { $0.ranger.tracked } }

    /// The settings in force.
    var settings: RangingSettings { state.withLock { $0.ranger.settings } }

    /// What was not taken as it came.
    var counters: RangingCounters { state.withLock { $0.ranger.counters } }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.pace.keep { await self.rank() }
        }
    }

    private func rank() async {
        await nearest(nil)
        var heard: [BeaconID] = []
        while !Task.isCancelled {
            await pace.sleep(for: .seconds(state.withLock { $0.interval }))
            guard let batch = feed.takeWaiting(), !Task.isCancelled else { return }
            let hearing = combined.hearing
            let isBlind = hearing == .blind
            pace.noteTick()
            let began = ContinuousClock.now
            let (ranking, events) = tick(batch, hearing)
            cost.record(duration: ContinuousClock.now - began)
            for event in events {
                hub.publish(.ranging(event))
                if case .nearest(let beacon, _) = event { await nearest(beacon) }
            }
            hub.publish(ranking, isBlind: isBlind)
            for observer in observers { observer.observe(batch, ranking, events, isBlind: isBlind) }
            let present = ranking.beacons.map(\.id)
            if present != heard { await inRange(present) }
            heard = present
        }
    }

    private func tick(_ batch: [Sighting], _ hearing: Hearing) -> (Ranking, [RangingEvent]) {
        state.withLock { state in
            let now = state.now()
            for var sighting in batch {
                sighting.time = sighting.time.map(state.time.steady)
                state.ranger.add(sighting)
            }
            let (ranking, events) = state.ranger.tick(
                at: now, isBlind: hearing == .blind, isInDoubt: hearing == .inDoubt)
            defer { state.pending = [] }
            return (state.time.wall(ranking), state.pending + events)
        }
    }
}
