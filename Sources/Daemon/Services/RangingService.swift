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
    private let feed: SightingFeed
    private let combined: CombinedHearing
    private let hub: EventHub
    private let observers: [any RangingObserver]
    /// Called with the nearest beacon whenever it changes, and once at the start.
    private let nearest: @Sendable (BeaconID?) async -> Void
    /// Called with what is heard, the nearest first, whenever its order has changed.
    private let inRange: @Sendable ([BeaconID]) async -> Void
    /// Whether somebody wants to know each second what is heard, and be it nothing.
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

    /// Goes on with other settings.
    ///
    /// - Returns: whether they differ.
    func apply(_ settings: RangingSettings, interval: Double) -> Bool {
        ranging.withLock { $0.apply(settings, interval: interval, at: .now) }
    }

    /// Why a beacon is seen as it is now; nil where it was not heard.
    func explanation(of id: BeaconID) -> BeaconExplanation? {
        ranging.withLock { $0.explanation(of: id, at: .now) }
    }

    /// Who is in which region.
    var regions: [RegionState] { ranging.withLock { $0.regions } }

    /// The beacons that are tracked, in no order.
    var tracked: [BeaconID] { ranging.withLock { $0.tracked } }

    /// The settings in force.
    var settings: RangingSettings { ranging.withLock { $0.settings } }

    /// What was not taken as it came.
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
            // The first tick tells that nothing is heard.
            if isAtRest { await rest(for: isFirst ? .seconds(interval) : max(.seconds(interval), longestRest)) }
            isFirst = false
            if !isAtRest || feed.isWaiting { await pace.sleep(for: .seconds(interval)) }
            guard let batch = feed.takeWaiting(), !Task.isCancelled else { return }
            await tick(batch)
        }
    }

    /// From one tick to the next while nothing is heard. Presenters do at each tick what must not wait longer.
    private var longestRest: Duration { .seconds(isHeardEachSecond() ? 1 : 3) }

    /// Suspends for so long, or until something is heard. In that case it ticks: the time until then counts as one in
    /// which nothing was heard, and the ticks that follow come at their interval.
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
