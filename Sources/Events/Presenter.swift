package import Beacon
package import Ranging

/// Where the daemon's news goes at once: called in order, and on the way of the data, so it must not block.
///
/// Whoever may be slow (the network, a disk) reads the hub by an `EventSubscription` instead.
package protocol Presenter: Sendable {
    func show(_ record: EventRecord)
    func show(_ ranking: Ranking, isBlind: Bool)
}

/// Sees all that ranging sees. Called on the way of the data, so it must not block.
package protocol RangingObserver: Sendable {
    /// - Parameters:
    ///   - sightings: what was heard since the last tick.
    ///   - ranking: what became of it, at `ranking.time`.
    ///   - events: what changed.
    ///   - isBlind: silence means nothing at present.
    func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool)
}
