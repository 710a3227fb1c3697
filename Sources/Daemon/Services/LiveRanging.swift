package import Beacon
package import Ranging

/// Ranging over the daemon's life. The sightings between two ticks become a ranking, events, and what the content
/// needs to know.
///
/// Pure: every input comes with both clocks, read together. The ranger uses steady time, and all outputs use the time
/// of the wall clock.
package struct LiveRanging: Sendable {
    /// The wall clock, and a clock that is never set.
    package struct Clocks: Sendable {
        var wall: Timestamp
        var elapsed: Duration

        package init(wall: Timestamp, elapsed: Duration) {
            self.wall = wall
            self.elapsed = elapsed
        }
    }

    /// The result of one tick.
    package struct Tick: Sendable {
        package var ranking: Ranking
        /// Events that new settings caused come first.
        package var events: [RangingEvent]
        package var isBlind: Bool
        /// A beacon that is not in the ranking is absent: the source has been able to receive for as long as a beacon
        /// may be silent before it counts as gone. Once true, it stays true.
        package var isSettled: Bool
        /// The beacons in range, the nearest first. Nil if neither they nor their order has changed.
        package var inRange: [BeaconID]?
        /// The beacons in each region. Nil if no beacon has entered or left one and the regions are the same.
        package var regions: [RegionState]?
    }

    /// Seconds from one tick to the next.
    package private(set) var interval: Double
    private var ranger: Ranger
    private var time = SteadyTime()
    /// Reported with the next tick.
    private var pending: [RangingEvent] = []
    /// The beacons in range at the last tick, in order.
    private var heard: [BeaconID] = []
    /// Since when silence has meant absence, in steady time; nil if it does not mean that yet.
    private var believedSince: Timestamp?
    private var isSettled = false
    /// The regions differ from those at the last tick.
    private var hasOtherRegions = true

    package init(settings: RangingSettings, interval: Double) {
        ranger = Ranger(settings: settings)
        self.interval = interval
    }

    /// Continues with other settings. Returns whether they differ.
    package mutating func apply(_ settings: RangingSettings, interval: Double, at clocks: Clocks) -> Bool {
        let isNew = settings.validated != ranger.settings || interval != self.interval
        if settings.validated.regions != ranger.settings.regions { hasOtherRegions = true }
        pending += ranger.apply(settings, at: now(clocks))
        self.interval = interval
        return isNew
    }

    /// Takes the sightings since the last tick, and ranks the beacons.
    package mutating func tick(_ batch: [Sighting], _ hearing: Hearing, at clocks: Clocks) -> Tick {
        let now = now(clocks)
        // Other scanners of a fleet are not beacons that people look for.
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

    /// Whether a tick changes nothing until a beacon is received: none is present, and no event waits.
    package var isAtRest: Bool { heard.isEmpty && pending.isEmpty }

    /// Why a beacon is seen as it is now; nil if it was not received.
    package mutating func explanation(of id: BeaconID, at clocks: Clocks) -> BeaconExplanation? {
        ranger.explanation(of: id, at: now(clocks)).map(time.wall)
    }

    /// The beacons in each region.
    package var regions: [RegionState] { ranger.regionStates.map(time.wall) }

    /// The beacons that are tracked, in no order.
    package var tracked: [BeaconID] { ranger.tracked }

    /// The settings in force.
    package var settings: RangingSettings { ranger.settings }

    /// Counts of sightings that were not used as they came.
    package var counters: RangingCounters { ranger.counters }

    /// The current time, as steady time.
    private mutating func now(_ clocks: Clocks) -> Timestamp {
        time.advance(wall: clocks.wall, elapsed: clocks.elapsed)
    }
}

extension RangingEvent {
    /// A beacon has entered a region, or left it.
    fileprivate var changesRegion: Bool {
        switch self {
        case .regionEntered, .regionExited: true
        default: false
        }
    }
}
