internal import Beacon
import SiteFormat

/// The lists that a store has accepted, by the URL that they came from. They are remembered also while another site is
/// configured, and if the list itself is lost.
struct AcceptedLists: Hashable, Sendable, Codable {
    struct Entry: Hashable, Sendable, Codable {
        var revision: Int64
        var sha256: AssetHash
        /// Seconds since 1970.
        var at: Int64
    }

    /// A list that would remove so much that it is not applied at once.
    struct Held: Hashable, Sendable, Codable {
        var url: String
        /// When it was first seen, in seconds since 1970.
        var since: Int64
        /// The list that was accepted since then; nil while none was. Until it is stored, the wait still counts for it,
        /// and for no other.
        var accepted: AssetHash?
    }

    private(set) var lists: [String: Entry] = [:]
    var held: Held?

    /// With more sites than this, the oldest are forgotten.
    private static let maximum = 16

    func last(from url: String) -> Entry? { lists[url] }

    /// Since when a list waits, in seconds since 1970; nil if it does not.
    func waitStart(of hash: AssetHash, from url: String) -> Int64? {
        guard let held, held.url == url, held.accepted == nil || held.accepted == hash else { return nil }
        return held.since
    }

    mutating func accept(_ entry: Entry, from url: String) {
        lists[url] = entry
        if held?.url == url { held?.accepted = entry.sha256 }
        if lists.count > Self.maximum { lists.removeOldest(besides: url, by: \.at) }
    }
}

extension ContentStore {
    var acceptedPath: String { "\(directory)/accepted.json" }

    func acceptedLists() -> AcceptedLists {
        guard let bytes = (try? Files.read(acceptedPath, limit: 1 << 20)) ?? nil else { return AcceptedLists() }
        return (try? decodeDocument(AcceptedLists.self, json: bytes, source: acceptedPath)) ?? AcceptedLists()
    }

    /// The last list that was accepted from a URL. Stores of earlier versions recorded it only beside the list.
    func lastAccepted(from url: String) -> AcceptedLists.Entry? {
        if let entry = acceptedLists().last(from: url) { return entry }
        let side = side(of: sitePath)
        if let side {
            guard side.url == url else { return nil }
            return AcceptedLists.Entry(revision: side.revision ?? 0, sha256: side.sha256, at: 0)
        }
        // The list's origin is unknown. It counts as this site's, so that it is not lost.
        guard case .list(let list, let hash) = storedSite() else { return nil }
        return AcceptedLists.Entry(revision: list.revision, sha256: hash, at: 0)
    }
}

extension StoreWriter {
    func storedSite() -> StoredSite {
        store.storedSite()
    }

    func side(of path: String) -> SideFile? {
        store.side(of: path)
    }

    func lastAccepted(from url: String) -> AcceptedLists.Entry? {
        store.lastAccepted(from: url)
    }

    func acceptedLists() -> AcceptedLists {
        store.acceptedLists()
    }

    func save(_ lists: AcceptedLists) async throws(ContentError) {
        try await replace(store.acceptedPath, with: try encodeDocument(lists))
    }

    /// A list from `url` was stored, so a wait for it is over. If this cannot be saved, no later list counts as the one
    /// that has waited.
    func forgetHeld(from url: String) async {
        var lists = acceptedLists()
        guard lists.held?.url == url else { return }
        lists.held = nil
        try? await save(lists)
    }

    /// Runs on the writer, because reading a long list would block other actors for too long.
    func read(_ bytes: [UInt8], source: String) throws(ContentError) -> (SiteList, AssetHash) {
        (try SiteList(json: bytes, source: source), AssetHash(of: bytes))
    }

    /// Removes the list of a former site, once the site at `url` has answered and has no list.
    func dropList(notFrom url: String) throws(ContentError) {
        guard let side = side(of: store.sitePath), side.url != url else { return }
        try remove(store.sitePath)
    }
}
