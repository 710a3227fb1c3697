package import Beacon
package import Ranging

/// Receives all news of the daemon at once and in order. It is called in the data path, so it must not block.
///
/// An output that may be slow (network, disk) reads the hub through an `EventSubscription` instead.
package protocol Presenter: Sendable {
    func show(_ record: EventRecord)
    func show(_ ranking: Ranking, isBlind: Bool)
}

/// Observes everything that ranging processes. It is called in the data path, so it must not block.
package protocol RangingObserver: Sendable {
    /// - Parameters:
    ///   - sightings: the sightings since the last tick.
    ///   - ranking: the result, at `ranking.time`.
    ///   - events: what changed.
    ///   - isBlind: silence does not mean absence at present.
    func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool)
}
