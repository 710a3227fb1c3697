package import Beacon
package import Health
package import Rooms

/// Everything that a resolver knows at an instant, for its outputs.
package struct FleetSnapshot: Sendable {
    /// Counters.
    package struct Counts: Hashable, Sendable {
        /// Messages from the broker that could be read.
        package var messages = 0
        package var unreadable = 0
        /// Scanners' seconds that arrived after that second was resolved.
        package var late = 0

        package init() {}
    }

    /// When it was taken.
    package var time: Timestamp
    /// The last second that was resolved, since 1970; nil if there was none yet.
    package var second: Int64?
    /// Whether there is a connection to the broker.
    package var isConnected: Bool
    /// Whether this resolver publishes; otherwise it learns beside another one.
    package var isAnswering: Bool
    /// In the order of their identities.
    package var rooms: [RoomAnswer]
    /// In the order of their names.
    package var scanners: [FleetScanner]
    /// The outlines of the rooms that the plan has.
    package var outlines: [RoomOutline]
    /// In the order of their identities.
    package var health: [BeaconHealth]
    package var counts: Counts

    package init(
        time: Timestamp, second: Int64? = nil, isConnected: Bool = true, isAnswering: Bool = true,
        rooms: [RoomAnswer] = [], scanners: [FleetScanner] = [], outlines: [RoomOutline] = [],
        health: [BeaconHealth] = [], counts: Counts = Counts()
    ) {
        self.time = time
        self.second = second
        self.isConnected = isConnected
        self.isAnswering = isAnswering
        self.rooms = rooms
        self.scanners = scanners
        self.outlines = outlines
        self.health = health
        self.counts = counts
    }

    /// Seconds between the clock and the last second that was resolved; nil if there was none yet.
    package var lag: Double? { second.map { max(0, time.seconds - Double($0)) } }
}
