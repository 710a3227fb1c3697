internal import Beacon
package import SiteFormat

// The disk: what is needed least makes room, and where there is none, nothing is fetched.
extension SyncScheduler {
    /// Something could not be written.
    ///
    /// - Parameter isReported: whoever notices it reports it himself.
    mutating func noteRoom(_ error: ContentError, _ space: DiskSpace?, isReported: Bool) {
        guard error.code == .diskFull, let space, room.refused(free: space.free, reserve: space.reserve) else { return }
        health.room = error
        updateStatus()
        failWaiting(with: error)
        if !isReported {
            emit(.siteEvent(.refused(error)))
            isOut = true
        }
    }

    /// Whether the disk has to be looked at before anything is fetched.
    package var isFull: Bool { room.isClosed }

    mutating func measureSpaceIfFull() {
        guard room.isClosed, !isMeasuring else { return }
        isMeasuring = true
        emit(.measureSpace)
    }

    /// Somebody has looked at the disk; nil where it does not say, so that only another try can show it.
    ///
    /// - Parameter isAsked: because of `.measureSpace`, not by a job that begins.
    package mutating func measured(_ space: DiskSpace?, isAsked: Bool, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            if isAsked { scheduler.isMeasuring = false }
            guard scheduler.room.isClosed, scheduler.room.look(free: space?.free ?? .max) else { return }
            scheduler.health.room = nil
            scheduler.emit(.siteEvent(.recovered))
            scheduler.updateStatus()
            scheduler.prefetching.troubles = [:]
            scheduler.prefetching.position = 0
        }
    }

    /// What must stay where a job needs room; nil where nothing may be evicted for it: the rest of the site never
    /// drives anything out. What is only in range makes room for what is kept, but not for others in range: they
    /// change places all the time.
    package func protected(from key: JobKey) -> Set<ContentScope>? {
        guard rank(of: key) < Prefetching.idleRank else { return nil }
        let asking: ContentScope? = switch key {
        case .beacon(let beacon): scope(of: beacon)
        case .scope(let scope): scope
        }
        if let asking, prefetching.kept.contains(asking) { return prefetching.kept }
        return prefetching.kept.union(prefetching.ranks.keys)
    }

    /// When each manifest was last needed, in seconds since 1970. What is near now comes after all others, the nearest
    /// last.
    package func lastNeeded() -> [ContentScope: Int64] {
        var needed = learning.learned?.lastNeeded { scope(of: $0) } ?? [:]
        for (scope, rank) in prefetching.ranks where rank > 0 { needed[scope] = Int64.max - Int64(rank) }
        return needed
    }

    /// Content was removed, to make room.
    package mutating func evicted(_ scopes: [ContentScope], at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scopes.isEmpty else { return }
            scheduler.prefetching.done.subtract(scopes)
            scheduler.emit(.siteEvent(.evicted(scopes)))
        }
    }

    /// What jobs that are under way need.
    package var assetsInJobs: Set<AssetHash> {
        jobs.values.reduce(into: []) { $0.formUnion($1.assets) }
    }
}
