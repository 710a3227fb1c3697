internal import Beacon
import SiteFormat

// What is under way for a manifest that changes meanwhile: its end says nothing about the new one.
extension SyncScheduler {
    /// Another list has come.
    mutating func outdate(from before: SiteList?, to after: SiteList?) {
        guard let before, let after else { return outdate { _ in true } }
        outdate { before.entries[$0] != after.entries[$0] }
    }

    /// What is under way for these manifests does not count as complete when it ends.
    mutating func outdate(_ hasChanged: (ContentScope) -> Bool) {
        let looks = prefetching.running.subtracting(prefetching.jobs.values)
        prefetching.outdatedLooks.formUnion(looks.filter(hasChanged))
        for (key, job) in jobs {
            let scopes: [ContentScope] = switch key {
            // Before it has an answer, it does not know its manifest.
            case .beacon(let beacon): job.hasReachedServer ? ContentScope.candidates(for: beacon) : []
            case .scope(let scope): [scope]
            }
            if scopes.contains(where: hasChanged) { jobs[key]?.isOutdated = true }
        }
    }

    /// A manifest is complete. If that is outdated, it is looked at again, except on a site without a list: there, all
    /// are asked for again after each interval anyway.
    mutating func noteComplete(_ scope: ContentScope, isOutdated: Bool) {
        if isOutdated, site?.list != nil {
            // The search has passed over it while it was under way.
            prefetching.position = 0
        } else {
            prefetching.done.insert(scope)
        }
    }
}
