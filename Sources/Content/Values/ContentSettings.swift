package import Beacon
package import SiteFormat

/// How content is fetched and where it is kept.
package struct ContentSettings: Sendable, Hashable {
    /// The site's base URL: `{base}/v1/…` is asked.
    package let baseURL: String
    /// The store's directory.
    package private(set) var directory: String
    /// Sent as `Authorization: Bearer` (RFC 6750, 2.1), to the base URL's origin only.
    package let token: String?

    /// Images that a manifest may have. 25 by default.
    package var maximumImages = 25
    /// The largest `site.json`, in bytes. 16 MiB by default, some 50,000 beacons.
    package var maximumSiteListBytes = 16 << 20
    /// The largest manifest, in bytes. 1 MiB by default.
    package var maximumManifestBytes = 1 << 20
    /// The largest asset, in bytes. 1 GiB by default.
    package var maximumAssetBytes: Int64 = 1 << 30
    /// The most that all assets of one manifest may have together, in bytes. 4 GiB by default.
    package var maximumContentBytes: Int64 = 4 << 30

    /// How long connecting may take. 5 s by default.
    package var connectTimeout: Duration = .seconds(5)
    /// How long a server may be silent within a request. 15 s by default.
    package var idleTimeout: Duration = .seconds(15)
    /// How long a whole request for a list or a manifest may take. 60 s by default.
    package var documentTimeout: Duration = .seconds(60)
    /// How long a whole request for an asset may take. 30 min by default.
    package var assetTimeout: Duration = .seconds(1800)

    /// The fewest bytes a second with which an asset may come. 1024 by default.
    package var leastThroughput: Int64 = 1024
    /// The time in which so many have to come. 30 s by default.
    package var throughputWindow: Duration = .seconds(30)

    /// How often a request is made before its failure is reported. 3 by default.
    package var attempts = 3
    /// The pauses between these attempts: up to this, doubled each time. 250 ms by default.
    package var attemptPause: Duration = .milliseconds(250)
    /// The pauses between syncs of a beacon whose sync failed: up to this, doubled each time. 1 s by default.
    package var retryPause: Duration = .seconds(1)
    /// The longest such pause. 5 s by default, so that a network's return is used within seconds.
    package var maximumRetryPause: Duration = .seconds(5)
    /// The longest that a server's `Retry-After` is obeyed. 5 min by default.
    package var maximumRetryAfter: Duration = .seconds(300)
    /// How often the nearest beacon's content is validated again while it stays the nearest, and how soon after a
    /// failure that only the site's owner can mend. 5 min by default; nil for never.
    package var revalidationInterval: Duration? = .seconds(300)
    /// For how long a site that has no `site.json` is not asked for it again. 60 s by default.
    package var listAbsenceLifetime: Duration = .seconds(60)

    /// Assets that are fetched at the same time for the nearest beacon; for former ones it is one. 4 by default.
    package var parallelTransfers = 4
    /// Progress is told at most this often for a beacon, and when an asset is complete. 100 ms by default.
    package var progressInterval: Duration = .milliseconds(100)

    /// Keys that may sign the site list. With at least one, nothing is accepted that is not signed by one of them.
    package var publicKeys: [SiteKey] = []

    /// What is fetched before it is wanted. Everything by default.
    package var prefetch: Prefetch = .everything
    /// How often the site list is asked for, whoever is near. 5 min by default; nil for never.
    package var syncInterval: Duration? = .seconds(300)
    /// Manifests that are synced at the same time when the whole site is. 32 by default: most of them wait for the
    /// disk, and the more come together, the fewer flushes it takes. Transfers have their own limit.
    package var parallelManifests = 32
    /// The most that all assets may have together on the disk, in bytes. 16 GiB by default; nil for no limit.
    package var quotaBytes: Int64? = 16 << 30
    /// Beacons whose content is never evicted.
    package var pinned: Set<BeaconID> = []

    /// Other hosts to which the site may redirect, in lower case, such as those of a CDN. They never get the token.
    package var allowedRedirectHosts: Set<String> = []
    /// The HTTP proxies; nil for none. `ProxySettings(environment:)` reads the usual variables.
    package var proxy: ProxySettings?
    /// A file with certificates in PEM form that are trusted instead of the system's; nil for the system's.
    package var authorityFile: String?
    /// SHA-256 hashes of the keys that the server may have, in base64 (as in RFC 7469, 2.4). Without an authority
    /// file they alone decide, so that a self-signed certificate can be used.
    package var pinnedKeys: [String] = []

    /// How much is fetched in advance.
    package struct Prefetch: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Only what is wanted now.
        package static var off: Self { Self(rawValue: "off") }
        /// Beacons in range, and those that visitors are likely to reach next.
        package static var likely: Self { Self(rawValue: "likely") }
        /// These first, then the rest of the site, as far as the quota allows.
        package static var everything: Self { Self(rawValue: "everything") }
    }

    let base: BaseURL

    /// - Parameters:
    ///   - baseURL: http or https, without user, query or fragment.
    ///   - directory: where the store is; it is made where it is missing.
    ///   - token: a bearer token, or nil.
    /// - Throws: `ContentError` with code `.settings`, which names the setting, what is wrong, and a good example.
    package init(baseURL: String, directory: String, token: String? = nil) throws(ContentError) {
        base = try BaseURL(baseURL)
        self.baseURL = baseURL
        self.directory = try Self.checked(directory)
        if let token {
            // RFC 6750, 2.1: b64token. The message must not show the secret.
            guard !token.isEmpty, token.utf8.allSatisfy({ isLetterOrDigit($0) || "-._~+/=".utf8.contains($0) }) else {
                throw ContentError(
                    code: .settings, place: "content token", cause: "it is empty or has characters no token can have",
                    remedy: "give the bare token, without \"Bearer\", spaces or line ends")
            }
        }
        self.token = token
    }

    /// The same with another store.
    ///
    /// - Throws: `ContentError` with code `.settings` where the directory is empty.
    package func stored(in directory: String) throws(ContentError) -> ContentSettings {
        var settings = self
        settings.directory = try Self.checked(directory)
        return settings
    }

    private static func checked(_ directory: String) throws(ContentError) -> String {
        guard !directory.isEmpty else {
            throw ContentError(
                code: .settings, place: "content directory", cause: "it is empty", remedy: "set it to a directory")
        }
        return directory
    }
}
