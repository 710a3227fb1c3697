package import Beacon
import Synchronization

/// Passes sightings on to any number of readers, each with its own bounded feed. A slow reader loses its oldest
/// sightings and does not delay the others.
package final class SightingBroadcast: Sendable {
    private let feeds = Mutex<[SightingFeed]>([])

    package init() {}

    /// A feed of the sightings from now on. The caller closes it.
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
