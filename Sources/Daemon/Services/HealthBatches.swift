package import Beacon

/// The sightings that wait for the health of beacons, and when they are to be taken. A plain value without a clock.
package struct HealthBatches: Sendable {
    private var batches: [[Sighting]] = []
    private var count = 0
    /// The wall clock's time of the last tick, and the one at which the sightings were last taken.
    private var time: Timestamp?
    private var taken: Timestamp?

    /// The most sightings that wait. Further ones are dropped: a part of a minute is enough.
    package static let capacity = 100_000
    /// Seconds between two times at which the sightings are taken.
    package static let pause = 5.0

    package init() {}

    /// Adds the sightings of a tick.
    ///
    /// - Parameter now: the wall clock's time of the tick.
    /// - Returns: whether to take what waits. Without sightings there is nothing to take until the next minute.
    package mutating func add(_ sightings: [Sighting], at now: Timestamp) -> Bool {
        time = now
        if !sightings.isEmpty, count + sightings.count <= Self.capacity {
            batches.append(sightings)
            count += sightings.count
        }
        guard let taken else { return true }
        guard abs(now.seconds(since: taken)) >= Self.pause else { return false }
        return count > 0 || Self.minute(of: now) != Self.minute(of: taken)
    }

    /// The sightings since the last call, in their order, and the time of the last tick; nil before the first tick.
    package mutating func take() -> (batches: [[Sighting]], time: Timestamp)? {
        guard let time else { return nil }
        defer { (batches, count, taken) = ([], 0, time) }
        return (batches, time)
    }

    private static func minute(of time: Timestamp) -> Double { (time.seconds / 60).rounded(.down) }
}
