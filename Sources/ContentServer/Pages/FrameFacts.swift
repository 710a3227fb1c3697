import Curation
import CurationStore
import Synchronization

/// What the frame of every page shows of the store. Asked again only after something has changed.
final class FrameFacts: Sendable {
    struct Facts {
        /// The site's title; empty if it has none.
        var title = ""
        /// Documents that are not as they are published.
        var pending = 0
    }

    private let known = Mutex<(version: DataVersion, facts: Facts)?>(nil)

    /// A page is shown also if the store fails here: what the page itself reads says why.
    func now(_ store: CurationStore) async -> Facts {
        guard let version = try? await store.dataVersion() else { return Facts() }
        if let known = known.withLock({ $0 }), known.version == version { return known.facts }
        guard let site = try? await store.site(), let pending = try? await store.pending() else { return Facts() }
        let facts = Facts(title: site.document.site?.title ?? "", pending: pending.count)
        known.withLock { $0 = (version, facts) }
        return facts
    }
}
