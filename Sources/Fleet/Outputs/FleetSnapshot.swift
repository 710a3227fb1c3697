package import Beacon
package import Health
package import Rooms

/// Everything that a resolver knows at an instant, for its outputs.
package struct FleetSnapshot: Sendable {
    /// What is only counted.
    package struct Counts: Hashable, Sendable {
        /// Messages of the broker that could be read.
        package var messages = 0
        package var unreadable = 0
        /// Seconds of scanners that came after they were worked through.
        package var late = 0

        package init() {}
    }

    /// When it was taken.
    package var time: Timestamp
    /// The last second that was worked through, since 1970; nil where there was none yet.
    package var second: Int64?
    /// Whether the broker is there.
    package var isConnected: Bool
    /// Whether this resolver publishes; otherwise it learns beside another one.
    package var isAnswering: Bool
    /// In the order of their identities.
    package var rooms: [RoomAnswer]
    /// In the order of their names.
    package var scanners: [FleetScanner]
    /// Where rooms are, as far as somebody has drawn them.
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

    /// Seconds between the clock and what was worked through last; nil where there was nothing yet.
    package var lag: Double? { second.map { max(0, time.seconds - Double($0)) } }
}
