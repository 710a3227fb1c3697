package import Beacon
import Text

/// Everything that a resolver knows at the end of a minute. Another one that continues from it, and gets the same
/// seconds, gives the same answers from then on, bit by bit.
package struct RoomCheckpoint: Hashable, Sendable {
    /// The probability of each cell of the map, in multiples of `BeaconLocator.quantum`. Missing cells have 0.
    package typealias Belief = [Int: Int]

    /// A beacon that is followed.
    package struct Followed: Hashable, Sendable {
        package var beacon: BeaconID
        /// dBm at 1 m, and its variance.
        package var level: Double
        package var variance: Double
        /// Mean seconds between those in which any scanner receives it, in 64ths.
        package var pause: Int
        package var lastSecond: Int64?
        package var began: Int64?
        /// By the scanner's index: the second in which it last received the beacon.
        package var lastHeard: [Int: Int64]
        /// The scanners that last received it.
        package var witnesses: [Int]
        /// Where it may stand still, and where it may be moving; nil for anywhere.
        package var places: Places?
        /// Indices of rooms: the published one, and the last one.
        package var room: Int?
        package var lastRoom: Int?
        package var unknown: RoomAnswer.Unknown?
        package var since: Int64
        /// Seconds for which no room was likely.
        package var doubtful: Int
        package var spot: Spot?

        package init(
            beacon: BeaconID, level: Double, variance: Double, pause: Int, lastSecond: Int64?, began: Int64?,
            lastHeard: [Int: Int64], witnesses: [Int], places: Places?, room: Int?, lastRoom: Int?,
            unknown: RoomAnswer.Unknown?, since: Int64, doubtful: Int, spot: Spot?
        ) {
            (self.beacon, self.level, self.variance, self.pause) = (beacon, level, variance, pause)
            (self.lastSecond, self.began, self.lastHeard, self.witnesses) = (lastSecond, began, lastHeard, witnesses)
            (self.places, self.room, self.lastRoom, self.unknown) = (places, room, lastRoom, unknown)
            (self.since, self.doubtful, self.spot) = (since, doubtful, spot)
        }
    }

    package struct Places: Hashable, Sendable {
        package var still: Belief
        package var moving: Belief

        package init(still: Belief, moving: Belief) {
            self.still = still
            self.moving = moving
        }
    }

    /// The last second that it includes: the last one of a minute.
    package var second: Int64
    /// `RoomMap.digest` of the map that the indices refer to.
    package var map: String
    /// In the order of their identities.
    package var followed: [Followed]
    /// For each scanner, in the order of the map: dB by which it receives more than the map says.
    package var antennas: [Double]
    /// The last second in which each scanner could receive; nil for none.
    package var lastAwake: [Int64?]
    package var proposal: AntennaProposal?

    package init(
        second: Int64, map: String, followed: [Followed], antennas: [Double], lastAwake: [Int64?],
        proposal: AntennaProposal?
    ) {
        (self.second, self.map, self.followed) = (second, map, followed)
        (self.antennas, self.lastAwake, self.proposal) = (antennas, lastAwake, proposal)
    }
}

extension RoomMap {
    /// The value of `digest`.
    var contentsDigest: String {
        let names =
            places.map(\.scanner) + rooms.map { "\($0.floor)/\($0.name)" } + cells.map { "\($0.room)/\($0.floor)" }
        var hash = FNV1a()
        hash.add(names.joined(separator: "\n").utf8)
        for numbers in [losses, spreads, [jump]] { for number in numbers { hash.add(number.bitPattern) } }
        return hash.digest
    }
}
