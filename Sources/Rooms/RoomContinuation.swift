package import Beacon

/// The scanners' antenna offsets from a second on.
package struct AntennaProposal: Hashable, Sendable {
    /// The first second for which it is valid, since 1970.
    package var second: Int64
    /// dB by which a scanner hears more than the map says, by its name.
    package var antennas: [String: Double]

    package init(second: Int64, antennas: [String: Double]) {
        self.second = second
        self.antennas = antennas
    }
}

/// What a resolver has learned, for another one that starts after it or beside it.
package struct RoomContinuation: Hashable, Sendable {
    package struct Known: Hashable, Sendable {
        package var beacon: BeaconID
        package var room: RoomMap.Room?
        /// Why there is no room.
        package var unknown: RoomAnswer.Unknown?
        package var since: Int64
        /// dBm at 1 m, as the fleet receives it.
        package var level: Double
        package var spot: Spot?
        /// The room's probability when it was published.
        package var probability: Double

        package init(
            beacon: BeaconID, room: RoomMap.Room?, unknown: RoomAnswer.Unknown? = nil, since: Int64, level: Double,
            spot: Spot? = nil, probability: Double = 0
        ) {
            self.beacon = beacon
            self.room = room
            self.unknown = unknown
            self.since = since
            self.level = level
            self.spot = spot
            self.probability = probability
        }
    }

    package var beacons: [Known]
    /// dB by which a scanner hears more than the map says, by its name.
    package var antennas: [String: Double]

    package init(beacons: [Known] = [], antennas: [String: Double] = [:]) {
        self.beacons = beacons
        self.antennas = antennas
    }
}

extension RoomAnswer {
    /// The answer that a resolver has published.
    package init(_ known: RoomContinuation.Known) {
        self.init(
            beacon: known.beacon, room: known.room, unknown: known.unknown,
            probability: known.room == nil ? 0 : known.probability, since: known.since,
            spot: known.room == nil ? nil : known.spot)
    }
}
