package import SiteFormat

/// What the sync client tells about the site as a whole.
package enum SiteEvent: Sendable {
    /// A new site list is in force.
    case changed(revision: Int64)
    /// The site list cannot be had or is refused, and why. What is stored stays. Told once until it succeeds, and not
    /// where a beacon's `ContentEvent.failed` says already that the server is out of reach.
    case refused(ContentError)
    /// After `refused`: the site list is there again, or the disk has room again.
    case recovered
    /// Content that is fetched in advance cannot be had. Told once a manifest and list; not for an outage of the
    /// server.
    case failed(ContentScope, ContentError)
    /// Content that was not needed for the longest time was removed, to make room.
    case evicted([ContentScope])
    /// What the site does not have any more was removed from the disk.
    case pruned(PruneReport)
}
