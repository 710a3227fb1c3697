package import SiteFormat

/// Events of the sync client about the site as a whole.
package enum SiteEvent: Sendable {
    /// A new site list is in use.
    case changed(revision: Int64)
    /// The site list cannot be fetched or is refused, with the reason. Stored content is kept. Sent once until a
    /// request succeeds, and not if a beacon's `ContentEvent.failed` already reports that the server cannot be reached.
    case refused(ContentError)
    /// After `refused`: the site list is available again, or the disk has space again.
    case recovered
    /// Content cannot be fetched in advance. Sent once for each manifest and list; not for an outage of the server.
    case failed(ContentScope, ContentError)
    /// Content that was not needed for the longest time was removed to make room.
    case evicted([ContentScope])
    /// Content that the site no longer has was removed from the disk.
    case pruned(PruneReport)
}
