package import Beacon
import Platform
package import SiteFormat

/// How much of a beacon's content is on the disk.
package struct ContentState: Hashable, Sendable {
    /// The scope of the manifest.
    package var scope: ContentScope
    /// The name for people; nil if the site gives none.
    package var name: String?
    package var state: State
    /// The number of assets in the known manifest, and their size in bytes; 0 without a manifest.
    package var assets: Int
    package var bytes: Int64
    /// The number of these bytes that are stored, including those of unfinished assets.
    package var presentBytes: Int64
    /// When the server last confirmed the content that is shown; nil if that is unknown.
    package var validatedAt: Timestamp?

    package init(
        scope: ContentScope, name: String?, state: State, assets: Int, bytes: Int64, presentBytes: Int64,
        validatedAt: Timestamp? = nil
    ) {
        self.scope = scope
        self.name = name
        self.state = state
        self.assets = assets
        self.bytes = bytes
        self.presentBytes = presentBytes
        self.validatedAt = validatedAt
    }

    package enum State: Hashable, Sendable {
        /// All of the current content is stored.
        case complete
        /// This percentage of the bytes is stored; nothing is shown yet.
        case partial(percent: Int)
        /// All of an older content is stored and shown. A newer one is being fetched, or the site has not confirmed
        /// this one for a long time.
        case stale(since: Timestamp?)
        /// Nothing is stored.
        case missing
    }
}

extension ContentStore {
    /// The state of every beacon that the site lists, sorted by beacon. Without a list: of every beacon that is stored.
    ///
    /// - Parameters:
    ///   - now: the date that confirmations are compared with.
    ///   - staleAfter: the greatest age of a confirmation; an hour by default.
    ///   - isWanted: called before each beacon. If it returns false, the rest is left out.
    package func states(
        now: Timestamp, staleAfter: Duration = .seconds(3600), while isWanted: () -> Bool = { true }
    ) -> [ContentState] {
        let site = storedSite()
        var scopes = Set(visibleScopes(site))
        for scope in storedScopes(pending: true) where site.shows(scope) { scopes.insert(scope) }
        var states: [ContentState] = []
        for scope in scopes.sorted() where isWanted() {
            states.append(state(of: scope, site: site, now: now, staleAfter: staleAfter))
        }
        return states
    }

    private func state(
        of scope: ContentScope, site: StoredSite, now: Timestamp, staleAfter: Duration
    ) -> ContentState {
        let entry = site.list?.entries[scope]
        let content = content(at: scope, site: site)
        if let content, content.missing == 0 {
            let isCurrent = isCurrent(path(of: scope), scope, site)
            let age = content.validatedAt.map { now.seconds(since: $0) }
            let isOld = age.map { $0 > staleAfter / .seconds(1) } ?? true
            return ContentState(
                scope: scope, name: content.name,
                state: isCurrent && !isOld ? .complete : .stale(since: content.validatedAt),
                assets: content.assets, bytes: content.bytes, presentBytes: content.bytes,
                validatedAt: content.validatedAt)
        }
        let pending = ((try? Files.read(pendingPath(of: scope), limit: Self.readLimit)) ?? nil)
            .flatMap { try? Manifest(json: $0) }
        guard let manifest = pending ?? content?.manifest else {
            return ContentState(
                scope: scope, name: entry?.name, state: .missing, assets: 0, bytes: 0, presentBytes: 0)
        }
        let assets = manifest.assets
        let bytes = assets.reduce(Int64(0)) { $0.addingClamped($1.bytes) }
        let present = assets.reduce(Int64(0)) { sum, asset in
            let there = has(asset) ? asset.bytes : FileIdentity(of: partialPath(of: asset.sha256))?.bytes ?? 0
            return sum.addingClamped(min(there, asset.bytes))
        }
        let percent = bytes > 0 ? Int(Double(present) / Double(bytes) * 100) : 0
        return ContentState(
            scope: scope, name: entry?.name ?? manifest.beacon?.name, state: .partial(percent: min(percent, 99)),
            assets: assets.count, bytes: bytes, presentBytes: present)
    }
}
