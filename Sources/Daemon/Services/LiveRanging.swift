package import Beacon
package import Ranging

/// Ranging over the daemon's life: what is heard between two ticks becomes a ranking, events, and what the content is
/// to know.
///
/// Pure: every input comes with both clocks, read together. The ranger goes by steady time, and everybody else by the
/// wall clock's.
package struct LiveRanging: Sendable {
    /// The wall clock, and one that nobody sets.
    package struct Clocks: Sendable {
        var wall: Timestamp
        var elapsed: Duration

        package init(wall: Timestamp, elapsed: Duration) {
            self.wall = wall
            self.elapsed = elapsed
        }
    }

    /// What one tick says.
    package struct Tick: Sendable {
        package var ranking: Ranking
        /// Those that new settings brought about come first.
        package var events: [RangingEvent]
        package var isBlind: Bool
        /// A beacon that is not in the ranking is absent: silence has had a meaning for as long as any beacon is waited
        /// for. Once that is so, it stays so.
        package var isSettled: Bool
        /// Who is heard, the nearest first, where that or its order has changed.
        package var inRange: [BeaconID]?
        /// Who is in which region, where somebody has entered or left one, or there are others.
        package var regions: [RegionState]?
    }

    /// Seconds from one tick to the next.
    package private(set) var interval: Double
    private var ranger: Ranger
    private var time = SteadyTime()
    /// Told with the next tick.
    private var pending: [RangingEvent] = []
    /// Who was heard at the last tick, in order.
    private var heard: [BeaconID] = []
    /// Since when silence has had a meaning, in steady time; nil where it has none yet.
    private var believedSince: Timestamp?
    private var isSettled = false
    /// There are other regions than at the last tick.
    private var hasOtherRegions = true

    package init(settings: RangingSettings, interval: Double) {
        ranger = Ranger(settings: settings)
        self.interval = interval
    }

    /// Goes on with other settings. Returns whether they differ.
    package mutating func apply(_ settings: RangingSettings, interval: Double, at clocks: Clocks) -> Bool {
        let isNew = settings.validated != ranger.settings || interval != self.interval
        if settings.validated.regions != ranger.settings.regions { hasOtherRegions = true }
        pending += ranger.apply(settings, at: now(clocks))
        self.interval = interval
        return isNew
    }

    /// Takes what was heard since the last tick, and ranks.
    package mutating func tick(_ batch: [Sighting], _ hearing: Hearing, at clocks: Clocks) -> Tick {
        let now = now(clocks)
        // Other scanners of a fleet are no beacons that anybody looks for.
        for var sighting in batch where sighting.beacon.id.uuid != FleetBeacon.uuid {
            sighting.time = sighting.time.map(time.steady)
            ranger.add(sighting)
        }
        let (ranking, events) = ranger.tick(at: now, isBlind: hearing == .blind, isInDoubt: hearing == .inDoubt)
        let present = ranking.beacons.map(\.id)
        if !isSettled { settle(hearing, at: now) }
        let hasNewRegions = hasOtherRegions || events.contains(where: \.changesRegion)
        defer {
            pending = []
            heard = present
            hasOtherRegions = false
        }
        return Tick(
            ranking: time.wall(ranking), events: pending + events, isBlind: hearing == .blind,
            isSettled: isSettled, inRange: present == heard ? nil : present, regions: hasNewRegions ? regions : nil)
    }

    /// After a start it is unknown which beacons were present before. It takes as long as an exit until one that has
    /// left differs from one that was not received yet.
    private mutating func settle(_ hearing: Hearing, at now: Timestamp) {
        guard hearing != .blind else {
            believedSince = nil
            return
        }
        let since = believedSince ?? now
        believedSince = since
        isSettled = hearing == .ok && now.seconds(since: since) >= ranger.settings.exitCap
    }

    /// Whether a tick changes nothing until something is heard: no beacon is present, and nothing is to be told.
    package var isAtRest: Bool { heard.isEmpty && pending.isEmpty }

    /// Why a beacon is seen as it is now; nil where it was not heard.
    package mutating func explanation(of id: BeaconID, at clocks: Clocks) -> BeaconExplanation? {
        ranger.explanation(of: id, at: now(clocks)).map(time.wall)
    }

    /// Who is in which region.
    package var regions: [RegionState] { ranger.regionStates.map(time.wall) }

    /// The beacons that are tracked, in no order.
    package var tracked: [BeaconID] { ranger.tracked }

    /// The settings in force.
    package var settings: RangingSettings { ranger.settings }

    /// What was not taken as it came.
    package var counters: RangingCounters { ranger.counters }

    /// Now, in steady time.
    private mutating func now(_ clocks: Clocks) -> Timestamp {
        time.advance(wall: clocks.wall, elapsed: clocks.elapsed)
    }
}

extension RangingEvent {
    /// Somebody has entered a region, or left it.
    fileprivate var changesRegion: Bool {
        switch self {
        case .regionEntered, .regionExited: true
        default: false
        }
    }
}
