public import Beacon
import Synchronization

/// Lets others hear what is heard, each by a bounded feed of their own, so that who is slow loses the oldest and harms
/// nobody.
public final class SightingTap: Sendable {
    private let feeds = Mutex<[SightingFeed]>([])

    public init() {}

    /// A feed of what is heard from now on. Close it.
    public func open() -> SightingFeed {
        let feed = SightingFeed()
        feeds.withLock { $0.append(feed) }
        return feed
    }

    public func close(_ feed: SightingFeed) {
        feeds.withLock { $0.removeAll { $0 === feed } }
        feed.finish()
    }

    public func push(_ sightings: [Sighting]) {
        for feed in feeds.withLock({ $0 }) {
            for sighting in sightings { feed.push(sighting) }
        }
    }
}
