internal import Beacon
package import Logging
package import SiteFormat

/// Checks whether a site has a usable list. Nothing is stored.
package enum SiteCheck {
    package struct Outcome: Hashable, Sendable {
        /// Nil if the site has no list, and is not known to have had one.
        package var revision: Int64?
        package var manifests = 0
    }

    /// Requests the list as the sync client does: through the same proxy, with the same keys.
    ///
    /// - Throws: `ContentError` if there is no list although there was one, or if it cannot be fetched, read or
    ///   trusted.
    package static func run(_ settings: ContentSettings, logger: Logger) async throws(ContentError) -> Outcome {
        let clients = try HTTPClients(settings)
        let outcome: Result<Outcome, ContentError>
        do throws(ContentError) {
            outcome = .success(try await look(settings, clients, logger))
        } catch {
            outcome = .failure(error)
        }
        try? await clients.shutdown()
        return try outcome.get()
    }

    private static func look(
        _ settings: ContentSettings, _ clients: HTTPClients, _ logger: Logger
    ) async throws(ContentError) -> Outcome {
        let time = ContentTime.system
        let fetcher = Fetcher(
            clients: clients, settings: settings, time: time, random: { 1 }, logger: logger,
            deadlines: Deadlines(time: time))
        let url = settings.base.url("/v1/site.json")
        let last = (try? ContentStore(reading: settings.directory))?.lastAccepted(from: url)
        guard case .document(let bytes, _) = try await fetcher.document(
            url, validators: nil, limit: settings.maximumSiteListBytes, fresh: true)
        else {
            guard last == nil, settings.publicKeys.isEmpty else { throw .noList(url, revision: last?.revision ?? 0) }
            return Outcome()
        }
        let list = try SiteList(json: bytes, source: url)
        if !settings.publicKeys.isEmpty {
            let signature = try await fetcher.signature(of: AssetHash(of: bytes), fresh: true)
            try settings.publicKeys.check(list, bytes: bytes, signature: signature, source: url)
        }
        return Outcome(revision: list.revision, manifests: list.entries.count)
    }
}
