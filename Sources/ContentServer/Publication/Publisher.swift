import Beacon
package import Curation
package import CurationStore
package import Logging
import Platform
package import Publishing
package import SiteFormat
import Synchronization
import Text

/// Publishes, and holds what is published for its readers.
///
/// All publications of this process go through here, so that what readers get, the static folder and the schedule
/// follow at once. Publications of other processes are noticed within a second by `run`.
package final class Publisher: Sendable {
    package let store: CurationStore
    /// Where the media library has a file.
    package let media: @Sendable (AssetHash) -> String
    let key: SigningKey?
    private let mayEndSigning: Bool
    private let pagePicture: @Sendable (MediaDocument) -> String?
    /// The folder that follows every publication; nil if there is none.
    let folder: SiteFolder?
    let logger: Logger
    let now: @Sendable () -> Moment
    private let state = Mutex(State())

    private struct State {
        var site: PublishedSite?
        /// Signatures of lists, the newest last: a reader may still ask for the one of the list before.
        var signatures: [(list: AssetHash, signature: [UInt8])] = []
        var folder = FolderState.none
    }

    /// What became of the static folder.
    package enum FolderState: Hashable, Sendable {
        /// None is configured, or nothing was published yet.
        case none
        case holds(revision: Int64)
        /// It is tried again.
        case failed(revision: Int64, problem: String)
    }

    /// - Parameters:
    ///   - key: signs every list; nil: lists are not signed.
    ///   - mayEndSigning: whether an unsigned list may follow a signed one, which devices with a key refuse.
    ///   - pictures: gives the pictures of full pages; nil leaves them out.
    ///   - now: the wall clock.
    package init(
        store: CurationStore, media: @escaping @Sendable (AssetHash) -> String, key: SigningKey? = nil,
        mayEndSigning: Bool = false, folder: SiteFolder? = nil, pictures: PagePictures? = nil,
        logger: Logger, now: @escaping @Sendable () -> Moment
    ) {
        self.store = store
        self.media = media
        self.key = key
        self.mayEndSigning = mayEndSigning
        pagePicture = { media in pictures?.address(media) }
        self.folder = folder
        self.logger = logger
        self.now = now
    }

    /// What is published now, as far as this process has noticed; nil if nothing was yet.
    package var site: PublishedSite? { state.withLock(\.site) }

    package var folderState: FolderState { state.withLock(\.folder) }

    /// The public half of the key that signs lists, as PEM text; nil if they are not signed.
    package var publicKey: String? { key?.publicPEM }

    // MARK: - Publishing

    /// Publishes drafts as a new revision.
    ///
    /// - Parameters:
    ///   - selection: only these, with what they need; nil: everything.
    ///   - least: the lowest number that the revision may get. It is always higher than those of devices that report
    ///     and of the folder.
    /// - Throws: `StoreError`; `.invalid` with the place for what devices would refuse.
    @discardableResult
    package func publish(
        _ selection: Set<DocumentID>? = nil, note: String = "", atLeast least: Int64? = nil, by author: Author
    ) async throws(StoreError) -> Revision {
        let now = now()
        let parts = Parts()
        let revision = try await store.publish(
            selection, note: note, atLeast: await lowest(least), by: author, at: now, build: builder(now, parts))
        adopt(revision, parts)
        return revision
    }

    /// Publishes an earlier revision again, under a higher number.
    @discardableResult
    package func rollBack(
        to number: Int64, note: String = "", atLeast least: Int64? = nil, by author: Author
    ) async throws(StoreError) -> Revision {
        let now = now()
        let parts = Parts()
        let revision = try await store.rollBack(
            to: number, note: note, atLeast: await lowest(least), by: author, at: now, build: builder(now, parts))
        adopt(revision, parts)
        return revision
    }

    /// The lowest number of a new revision that the folder takes, or the wanted one if that is higher.
    private func lowest(_ wanted: Int64?) async -> Int64? {
        guard let folder else { return wanted }
        let held = try? await OwnThread.run { try folder.list.map { try SiteList(json: $0).revision } }
        let current = site?.revision.number ?? 0
        // A wrong one must not use up the numbers: then the folder refuses, and says so.
        guard let held = held ?? nil, held > current, held - current < SiteList.largestRevisionStep else {
            return wanted
        }
        return max(held + 1, wanted ?? 0)
    }

    /// What a publication of these drafts would be. Nothing is stored.
    package func preview(of documents: [DocumentID: Document]) async throws -> BuiltRevision {
        let (now, before, pagePicture) = (now(), site?.built, pagePicture)
        let number = (site?.revision.number ?? 0) + 1
        return try await OwnThread.run {
            try SiteBuilder.build(
                documents: documents, revision: number, at: now, over: before, pagePicture: pagePicture)
        }
    }

    /// Makes the revision of a boundary that was passed, if one was.
    ///
    /// - Returns: whether something was published.
    @discardableResult
    package func publishIfDue() async throws(StoreError) -> Bool {
        let now = now()
        guard site?.scheduled.isDue(at: now) == true else { return false }
        let parts = Parts()
        guard let revision = try await store.republish(at: now, build: builder(now, parts)) else {
            state.withLock { $0.site?.scheduled.settle(at: now) }
            return false
        }
        adopt(revision, parts)
        return true
    }

    /// What the store's builder made last, for the readers of this process.
    private final class Parts: Sendable {
        let made = Mutex<(built: BuiltRevision, schedule: SiteSchedule)?>(nil)
    }

    private func builder(_ now: Moment, _ parts: Parts) -> CurationStore.Builder {
        let (key, before, pagePicture) = (key, site?.built, pagePicture)
        let mustSign = key == nil && before?.signature != nil && !mayEndSigning
        return { number, documents in
            if mustSign {
                throw PublishingError(
                    .key, "the revision before \(number) is signed, and there is no key for this one",
                    remedy: "name the key with --signing-key; publish --unsigned ends signing")
            }
            let built = try SiteBuilder.build(
                documents: documents, revision: number, at: now, key: key, over: before, pagePicture: pagePicture)
            parts.made.withLock { $0 = (built, SiteSchedule(documents)) }
            return built
        }
    }

    // MARK: - What is published

    /// Notices what other processes have published.
    package func refresh() async throws(StoreError) {
        let version = try await store.dataVersion().revision
        guard version > 0, version != site?.revision.number else { return }
        let revision = try await store.revision(version)
        let built = try await store.built(version)
        let schedule = SiteSchedule(try await store.published(version))
        let parts = Parts()
        parts.made.withLock { $0 = (built, schedule) }
        adopt(revision, parts)
    }

    /// A file by its path below `v1/`; nil if there is none. Also what the lists of the last day have named: a reader
    /// of such a list must find all of it.
    package func file(_ path: String) async throws(StoreError) -> PublishedFile? {
        let (site, signature) = state.withLock { state in
            (state.site, state.signatures.last { "signatures/\($0.list)" == path }?.signature)
        }
        guard let site else { return nil }
        if path == "site.json" { return .bytes(site.built.list, hash: site.listHash, isImmutable: false) }
        if let signature { return .bytes(signature, hash: AssetHash(of: signature), isImmutable: true) }
        let isManifest = path.hasPrefix("manifests/")
        if let file = site.built.files[path] { return .bytes(file.bytes, hash: file.hash, isImmutable: isManifest) }
        let since = Moment(now().time.advanced(bySeconds: -SiteFolder.defaultKeepS))
        if path.hasPrefix("assets/"), let hash = AssetHash(String(path.dropFirst(7))), path == "assets/\(hash)" {
            var asset = site.built.assets[hash]
            if asset == nil { asset = try await store.asset(hash, publishedSince: since) }
            guard let asset else { return nil }
            return .media(path: media(hash), hash: hash, asset)
        }
        guard isManifest, let old = try await store.file(path, publishedSince: since) else { return nil }
        return .bytes(old.bytes, hash: old.hash, isImmutable: true)
    }

    private func adopt(_ revision: Revision, _ parts: Parts) {
        guard let (built, schedule) = parts.made.withLock(\.self) else { return }
        let site = PublishedSite(revision, built, schedule)
        state.withLock { state in
            // Another publication may have been noticed meanwhile.
            guard revision.number > state.site?.revision.number ?? 0 else { return }
            state.site = site
            guard let signature = built.signature else { return }
            state.signatures.append((site.listHash, signature))
            if state.signatures.count > 100 { state.signatures.removeFirst() }
        }
    }

    func setFolderState(_ folder: FolderState) { state.withLock { $0.folder = folder } }
}
