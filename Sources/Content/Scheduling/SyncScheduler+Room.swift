internal import Beacon
package import SiteFormat

// The disk: the content that is needed least is evicted to make room. If there is no room, nothing is fetched.
extension SyncScheduler {
    /// Records that something could not be written.
    ///
    /// - Parameter isReported: the caller reports it itself.
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

    /// Whether the free space has to be measured before anything is fetched.
    package var isFull: Bool { room.isClosed }

    mutating func measureSpaceIfFull() {
        guard room.isClosed, !isMeasuring else { return }
        isMeasuring = true
        emit(.measureSpace)
    }

    /// The free space was measured. Nil if the file system does not report it: then only another attempt can show it.
    ///
    /// - Parameter isAsked: the result of `.measureSpace`, not of a job that begins.
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

    /// The manifests that must stay when a job needs room; nil if nothing may be evicted for it. Nothing is evicted for
    /// the rest of the site. Content that is only in range makes room for content that is kept, but not for other
    /// content in range: beacons in range change places all the time.
    package func protected(from key: JobKey) -> Set<ContentScope>? {
        guard rank(of: key) < Prefetching.idleRank else { return nil }
        let asking: ContentScope? = switch key {
        case .beacon(let beacon): scope(of: beacon)
        case .scope(let scope): scope
        }
        if let asking, prefetching.kept.contains(asking) { return prefetching.kept }
        return prefetching.kept.union(prefetching.ranks.keys)
    }

    /// When each manifest was last needed, in seconds since 1970. Content that is in range now comes after all others,
    /// the nearest last.
    package func lastNeeded() -> [ContentScope: Int64] {
        var needed = learning.learned?.lastNeeded { scope(of: $0) } ?? [:]
        for (scope, rank) in prefetching.ranks where rank > 0 { needed[scope] = Int64.max - Int64(rank) }
        return needed
    }

    /// Content was removed to make room.
    package mutating func evicted(_ scopes: [ContentScope], at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard !scopes.isEmpty else { return }
            scheduler.prefetching.done.subtract(scopes)
            scheduler.outdate { scopes.contains($0) }
            scheduler.emit(.siteEvent(.evicted(scopes)))
        }
    }

    /// The assets that running jobs need.
    package var assetsInJobs: Set<AssetHash> {
        jobs.values.reduce(into: []) { $0.formUnion($1.assets) }
    }
}
