package import Beacon
import Synchronization

/// Lets others hear what is heard, each by a bounded feed of their own, so that who is slow loses the oldest and harms
/// nobody.
package final class SightingBroadcast: Sendable {
    private let feeds = Mutex<[SightingFeed]>([])

    package init() {}

    /// A feed of what is heard from now on. Close it.
    package func open() -> SightingFeed {
        let feed = SightingFeed()
        feeds.withLock { $0.append(feed) }
        return feed
    }

    package func close(_ feed: SightingFeed) {
        feeds.withLock { $0.removeAll { $0 === feed } }
        feed.finish()
    }

    package func push(_ sightings: [Sighting]) {
        for feed in feeds.withLock({ $0 }) {
            for sighting in sightings { feed.push(sighting) }
        }
    }
}
