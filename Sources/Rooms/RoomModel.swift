/// How levels depend on where a beacon is: the constants of `RoomMap` and `BeaconLocator`.
///
/// They were chosen on made-up buildings (`tools/evaluation/building.py`), and hold for buildings with thin and with
/// thick walls; what a building has of its own is learned.
package struct RoomModel: Hashable, Sendable {
    // MARK: - The building

    /// Metres between two cells.
    package var cellSize = 2.0
    /// Metres around scanners in which a beacon is looked for.
    package var reach = 7.0
    /// How fast a level falls inside: dB for each tenfold distance, divided by ten.
    package var pathLossExponent = 2.0
    /// dB that a way into another room costs, for each 6 m of it, at least once and at most three times.
    package var wallLoss = 5.0
    /// dB of each wall, where outlines say how many there are.
    package var drawnWallLoss = 4.5
    /// dB that each ceiling costs, and how many metres it is away.
    package var ceilingLoss = 16.0
    package var ceilingHeight = 3.5
    /// dB by which single levels deviate from all this: reflections, bodies, orientation.
    package var spread = 6.5

    // MARK: - Where no scanner has a position

    /// Metres to a scanner of the same room, and to others.
    package var ownDistances = [1.0, 3.0, 6.0]
    package var otherDistance = 10.0
    package var otherSpread = 8.0

    // MARK: - Rooms that were taught

    /// dB by which single levels deviate from what was taught, and metres around a spot to which it applies.
    package var taughtSpread = 5.0
    package var taughtReach = 2.5
    /// dB: as much is lost on the way to a scanner that hears nothing, at least.
    package static let unheardLoss = 45.0

    // MARK: - How beacons move

    /// Each second: the probability that one that stands still starts to move, and that one that moves comes to rest.
    package var starting = 1.0 / 60
    package var stopping = 1.0 / 6
    /// Metres a second, a standard deviation.
    package var speed = 0.8
    /// How much less likely a step through a wall is: most of a wall has no door.
    package var crossing = 0.3
    /// Each second: the probability that it may be anywhere. Stairs, lifts, and everything that the map does not know.
    package var jump = 1.0 / 400
    /// The same between rooms whose places are unknown.
    package var change = 1.0 / 80

    // MARK: - Levels

    /// Seconds over which what disturbs a level stays alike, so that more readings say nothing more.
    package var correlation = 4.0
    /// Degrees of freedom: how often a level is far off.
    package var freedom = 8.0
    /// Scanners of a second that count, the strongest first.
    package var mostScanners = 12
    /// dBm at 1 m of a beacon of which nothing is known, and the standard deviation.
    package var reference = -59.0
    package var referenceSpread = 12.0
    /// dB by which a beacon's level changes for all scanners alike, from second to second.
    package var commonSpread = 4.0
    /// dBm at which half of the packets are lost, and how much it takes until most arrive.
    package var sensitivity = -96.0
    package var sensitivitySpread = 7.0
    /// How much the silence of a scanner counts beside a level.
    package var silenceWeight = 0.8

    package init() {}
}
