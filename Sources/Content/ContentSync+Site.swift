internal import Beacon
import SiteFormat

// Fetches, checks and stores the site list.
extension ContentSync {
    /// The current site list; nil if the site has none. Several callers share one request.
    ///
    /// - Parameter accepting: changes that look like a mistake, but are intended.
    func siteList(_ asker: ListAsker, accepting: SiteAcceptance = []) async throws(ContentError) -> SiteList? {
        try await listAnswer(asker, accepting: accepting).get()
    }

    func listAnswer(
        _ asker: ListAsker, accepting: SiteAcceptance = []
    ) async -> Result<SiteList?, ContentError> {
        await withCheckedContinuation { continuation in
            listWaiters[asker] = continuation
            feed { $0.askForList(asker, accepting: accepting, at: $1) }
        }
    }

    func fetchList(_ accepting: SiteAcceptance) async {
        let result: Result<StoredSite, ContentError>
        var space: DiskSpace?
        do throws(ContentError) {
            result = .success(try await fetchSiteList(accepting))
        } catch {
            result = .failure(error)
            if error.code == .diskFull { space = await writer.space() }
        }
        // Reading a long list needs several times the memory that the list occupies afterwards.
        Memory.giveBack()
        end(.list) { $0.listEnded(result, space: space, at: $1) }
    }

    private func fetchSiteList(_ accepting: SiteAcceptance) async throws(ContentError) -> StoredSite {
        let path = store.sitePath
        let url = settings.base.url("/v1/site.json")
        let known = await writer.storedSite()
        let side = await writer.side(of: path)
        let last = await writer.lastAccepted(from: url)
        let current = side?.url == url && known.hash != nil && side?.sha256 == known.hash ? side : nil
        let answer = try await fetcher.document(
            url, validators: current?.validators, limit: settings.maximumSiteListBytes, fresh: false)
        switch answer {
        case .unchanged:
            if var current {
                current.validatedAt = time.now().microseconds
                try await writer.putSide(current, of: path)
            }
            return known
        case .absent:
            guard settings.publicKeys.isEmpty else {
                throw ContentError(
                    code: .signature, place: url, cause: "it is not there, though a signed one is required",
                    remedy: "publish a signed site list, or remove the public key from the settings")
            }
            // A missing list does not mean that its content was removed.
            guard last == nil else { throw .noList(url, revision: last?.revision ?? 0) }
            return .none
        case .document(let bytes, let validators):
            if scheduler.isClosed { throw .cancelled("site") }
            return try await take(bytes, validators, from: url, known: known, last: last, accepting)
        }
    }

    /// Checks a list that the site has sent, and stores it.
    private func take(
        _ bytes: [UInt8], _ validators: Validators, from url: String, known: StoredSite, last: AcceptedLists.Entry?,
        _ accepting: SiteAcceptance
    ) async throws(ContentError) -> StoredSite {
        let path = store.sitePath
        let (list, hash) = try await writer.read(bytes, source: url)
        if let quota = settings.quotaBytes, bytes.count > quota {
            throw ContentError(
                code: .quota, place: url, cause: "it has \(bytes.count) bytes, the quota is \(quota)",
                remedy: "raise content.quota_bytes, or publish a shorter list")
        }
        if hash != known.hash {
            if !accepting.contains(.revision) { try check(list, hash, url: url, last: last) }
            try await checkSignature(list, bytes, hash, url: url)
            try await checkRemovals(list, hash, url: url, known: known, isMeant: accepting.contains(.removals))
        }
        // The revision is recorded first, so that no list is ever stored without it.
        if last?.revision != list.revision || last?.sha256 != hash || last?.at == 0 {
            var lists = await writer.acceptedLists()
            lists.accept(.init(revision: list.revision, sha256: hash, at: seconds), from: url)
            try await writer.save(lists)
        }
        let side = SideFile(
            sha256: hash, url: url, validators: validators, validatedAt: time.now().microseconds,
            revision: list.revision)
        if hash == known.hash {
            try await writer.putSide(side, of: path)
        } else {
            try await writer.put(bytes, at: path, side: side)
            store.remember(.list(list, hash))
            await writer.forgetHeld(from: url)
        }
        return .list(list, hash)
    }

    /// Seconds since 1970.
    private var seconds: Int64 { Int64(time.now().seconds) }

    /// Refuses a list whose revision cannot follow the last one: it may be replayed or forged.
    private func check(
        _ list: SiteList, _ hash: AssetHash, url: String, last: AcceptedLists.Entry?
    ) throws(ContentError) {
        func refuse(_ code: ContentError.Code, _ cause: String, _ remedy: String) -> ContentError {
            ContentError(
                code: code, place: "\(url): revision", cause: cause,
                remedy: remedy + ", or run beaconctl content sync --accept-revision if that is meant")
        }
        let number = last?.revision ?? 0
        switch RevisionRule.verdict(
            list.revision, hash, after: last.map { ($0.revision, $0.sha256) }, isSigned: !settings.publicKeys.isEmpty,
            now: seconds)
        {
        case .good: return
        case .older:
            throw refuse(
                .rollback, "it is \(list.revision), though \(number) was published before",
                "publish with a higher revision")
        case .otherBytes:
            throw refuse(
                .revision, "it is \(number) as before, though the list is another one",
                "publish with a higher revision")
        case .tooFar(let limit):
            throw refuse(
                .revision, "it is \(list.revision), an unsigned list after \(number) may have \(limit) at most",
                "sign the list, publish with a lower revision")
        }
    }

    /// Holds back a list that would remove more than half of the content, until it is confirmed.
    private func checkRemovals(
        _ list: SiteList, _ hash: AssetHash, url: String, known: StoredSite, isMeant: Bool
    ) async throws(ContentError) {
        let before: [ContentScope]
        if let known = known.list { before = Array(known.entries.keys) } else { before = await writer.storedScopes() }
        let removed = before.count { list.entries[$0] == nil }
        var lists = await writer.acceptedLists()
        let start = lists.waitStart(of: hash, from: url)
        let interval = (settings.syncInterval ?? .seconds(300)).components.seconds
        switch RemovalConfirmation.verdict(
            removing: removed, of: before.count, since: start, now: seconds, interval: interval, isMeant: isMeant)
        {
        case .take: return
        case .wait(let since, let until):
            if start != since {
                lists.held = .init(url: url, since: since)
                try await writer.save(lists)
            }
            throw .removals(
                url, revision: list.revision, removed, of: before.count, after: .seconds(max(until - seconds, 1)))
        }
    }

    private func checkSignature(
        _ list: SiteList, _ bytes: [UInt8], _ hash: AssetHash, url: String
    ) async throws(ContentError) {
        guard !settings.publicKeys.isEmpty else { return }
        let signature = try await fetcher.signature(of: hash, fresh: false)
        try settings.publicKeys.check(list, bytes: bytes, signature: signature, source: url)
        // The signature is stored before the list, so that the list is never there without it.
        if let signature { try await writer.replace(store.signaturePath(of: hash), with: signature) }
    }
}

extension ContentError {
    static func noList(_ url: String, revision: Int64) -> ContentError {
        ContentError(
            code: .noList, place: url,
            cause: "the site's list is not there, though revision \(revision) was accepted from there before",
            remedy: "put it back, or check content.base_url; nothing is removed meanwhile")
    }

    fileprivate static func removals(
        _ url: String, revision: Int64, _ removed: Int, of count: Int, after delay: Duration
    ) -> ContentError {
        ContentError(
            code: .removals, place: url,
            cause:
                "its revision \(revision) would remove \(removed) of the \(count) manifests that are known, which "
                    + "looks like a mistake",
            remedy: "if it is meant, sync again in \(delay.components.seconds) s, or now with beaconctl content sync "
                + "--accept-removals",
            retryAfter: delay)
    }
}
