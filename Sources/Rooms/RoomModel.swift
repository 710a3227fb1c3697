/// How levels depend on where a beacon is: the constants of `RoomMap` and `BeaconLocator`.
///
/// They were chosen on simulated buildings (`tools/evaluation/building.py`), and suit buildings with thin and with
/// thick walls. The peculiarities of a building are learned.
package struct RoomModel: Hashable, Sendable {
    // MARK: - The building

    /// Metres between two cells.
    package var cellSize = 2.0
    /// Metres around scanners in which a beacon may be.
    package var reach = 7.0
    /// The path-loss exponent indoors: dB for each tenfold distance, divided by ten.
    package var pathLossExponent = 2.0
    /// The loss in dB into another room, for each 6 m of the path, at least once and at most three times.
    package var wallLoss = 5.0
    /// The loss in dB of each wall, if outlines say how many there are.
    package var drawnWallLoss = 4.5
    /// The loss in dB of each ceiling, and the height of a floor in metres.
    package var ceilingLoss = 16.0
    package var ceilingHeight = 3.5
    /// Standard deviation of single levels from this model, in dB: reflections, bodies, orientation.
    package var spread = 6.5

    // MARK: - Where no scanner has a position

    /// Metres to a scanner of the same room, and to others.
    package var ownDistances = [1.0, 3.0, 6.0]
    package var otherDistance = 10.0
    package var otherSpread = 8.0

    // MARK: - Rooms that were taught

    /// Standard deviation of single levels from what was taught, in dB, and the radius around a spot to which it
    /// applies, in metres.
    package var taughtSpread = 5.0
    package var taughtReach = 2.5
    /// The loss, in dB, that is assumed at least for a scanner that receives nothing.
    package static let unheardLoss = 45.0

    // MARK: - How beacons move

    /// The probabilities per second that a beacon starts to move, and that a moving one stops.
    package var starting = 1.0 / 60
    package var stopping = 1.0 / 6
    /// Standard deviation of the speed, in metres per second.
    package var speed = 0.8
    /// How much less likely a step through a wall is: most of a wall has no door.
    package var crossing = 0.3
    /// The probability per second that it jumps anywhere: stairs, lifts, and everything that the map does not have.
    package var jump = 1.0 / 400
    /// The same between rooms whose places are unknown.
    package var change = 1.0 / 80

    // MARK: - Levels

    /// Seconds over which the deviation of a level is correlated, so that more readings add no information.
    package var correlation = 4.0
    /// Degrees of freedom of the t distribution: the fewer, the more often a level is far off.
    package var freedom = 8.0
    /// The maximum number of scanners that count in a second, the strongest first.
    package var mostScanners = 12
    /// dBm at 1 m of an unknown beacon, and its standard deviation.
    package var reference = -59.0
    package var referenceSpread = 12.0
    /// Standard deviation, in dB, of the changes from second to second that all scanners share.
    package var commonSpread = 4.0
    /// dBm at which half of the packets are lost, and how many dB more it takes until most arrive.
    package var sensitivity = -96.0
    package var sensitivitySpread = 7.0
    /// How much the silence of a scanner counts beside a level.
    package var silenceWeight = 0.8

    package init() {}
}
