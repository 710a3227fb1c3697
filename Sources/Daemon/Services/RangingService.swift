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

/// Turns sightings into rankings and events. It runs for the daemon's lifetime, and applies new settings to its
/// current state.
final class RangingService: Service {
    private let feed: SightingFeed
    private let combined: CombinedHearing
    private let hub: EventHub
    private let observers: [any RangingObserver]
    /// Called with the nearest beacon whenever it changes, and once at the start.
    private let nearest: @Sendable (BeaconID?) async -> Void
    /// Called with the beacons in range, the nearest first, whenever they or their order change.
    private let inRange: @Sendable ([BeaconID]) async -> Void
    /// Whether a ranking is needed every second, even if no beacon is received.
    private let isHeardEachSecond: @Sendable () -> Bool
    private let ranging: Mutex<LiveRanging>
    private let cost = Timer(label: Metric.tickDuration.name)
    private let pace = RangingPace()

    init(
        feed: SightingFeed, combined: CombinedHearing, hub: EventHub, settings: RangingSettings, interval: Double,
        observers: [any RangingObserver], isHeardEachSecond: @escaping @Sendable () -> Bool = { false },
        nearest: @escaping @Sendable (BeaconID?) async -> Void,
        inRange: @escaping @Sendable ([BeaconID]) async -> Void
    ) {
        self.feed = feed
        self.combined = combined
        self.hub = hub
        self.observers = observers
        self.isHeardEachSecond = isHeardEachSecond
        self.nearest = nearest
        self.inRange = inRange
        ranging = Mutex(LiveRanging(settings: settings, interval: interval))
    }

    /// Continues with other settings.
    ///
    /// - Returns: whether they differ.
    func apply(_ settings: RangingSettings, interval: Double) -> Bool {
        ranging.withLock { $0.apply(settings, interval: interval, at: .now) }
    }

    /// Why a beacon is seen as it is now; nil if it was not received.
    func explanation(of id: BeaconID) -> BeaconExplanation? {
        ranging.withLock { $0.explanation(of: id, at: .now) }
    }

    /// The beacons in each region.
    var regions: [RegionState] { ranging.withLock { $0.regions } }

    /// The beacons that are tracked, in no order.
    var tracked: [BeaconID] { ranging.withLock { $0.tracked } }

    /// The settings in force.
    var settings: RangingSettings { ranging.withLock { $0.settings } }

    /// Counts of sightings that were not used as they came.
    var counters: RangingCounters { ranging.withLock { $0.counters } }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.pace.keep { await self.rank() }
        }
    }

    private func rank() async {
        await nearest(nil)
        var isFirst = true
        while !Task.isCancelled {
            let (interval, isAtRest) = ranging.withLock { ($0.interval, $0.isAtRest) }
            // The first tick reports that no beacon is present.
            if isAtRest { await rest(for: isFirst ? .seconds(interval) : max(.seconds(interval), longestRest)) }
            isFirst = false
            if !isAtRest || feed.isWaiting { await pace.sleep(for: .seconds(interval)) }
            guard let batch = feed.takeWaiting(), !Task.isCancelled else { return }
            await tick(batch)
        }
    }

    /// The longest time between two ticks while no beacon is received. Presenters use each tick for work that must not
    /// wait longer.
    private var longestRest: Duration { .seconds(isHeardEachSecond() ? 1 : 3) }

    /// Suspends for this time, or until a sighting arrives. In that case it ticks at once, for the time without
    /// sightings. The ticks after it come at their interval.
    private func rest(for duration: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.pace.sleep(for: duration) }
            group.addTask { await self.feed.somethingWaits() }
            await group.next()
            group.cancelAll()
        }
        pace.noteRest()
        if feed.isWaiting { await tick([]) }
    }

    private func tick(_ batch: [Sighting]) async {
        let hearing = combined.hearing
        pace.noteTick()
        let began = ContinuousClock.now
        let tick = ranging.withLock { $0.tick(batch, hearing, at: .now) }
        cost.record(duration: ContinuousClock.now - began)
        for event in tick.events {
            hub.publish(.ranging(event))
            if case .nearest(let beacon, _) = event { await nearest(beacon) }
        }
        hub.publish(tick.ranking, isBlind: tick.isBlind, isSettled: tick.isSettled, regions: tick.regions)
        for observer in observers { observer.observe(batch, tick.ranking, tick.events, isBlind: tick.isBlind) }
        if let present = tick.inRange { await inRange(present) }
    }
}

extension LiveRanging.Clocks {
    fileprivate static var now: Self { Self(wall: WallClock.now, elapsed: SteadyClock.elapsed) }
}
