package import Beacon
package import SiteFormat

/// How content is fetched and where it is stored.
package struct ContentSettings: Sendable, Hashable {
    /// The site's base URL. Requests go to `{base}/v1/…`.
    package let baseURL: String
    /// The store's directory.
    package private(set) var directory: String
    /// Sent as `Authorization: Bearer` (RFC 6750, 2.1), to the base URL's origin only.
    package let token: String?

    /// The most images that a manifest may have. 25 by default.
    package var maximumImages = 25
    /// The largest `site.json`, in bytes. 16 MiB by default, some 50,000 beacons.
    package var maximumSiteListBytes = 16 << 20
    /// The largest manifest, in bytes. 1 MiB by default.
    package var maximumManifestBytes = 1 << 20
    /// The largest asset, in bytes. 1 GiB by default.
    package var maximumAssetBytes: Int64 = 1 << 30
    /// The largest total size of all assets of one manifest, in bytes. 4 GiB by default.
    package var maximumContentBytes: Int64 = 4 << 30

    /// How long connecting may take. 5 s by default.
    package var connectTimeout: Duration = .seconds(5)
    /// How long a server may be silent within a request. 15 s by default.
    package var idleTimeout: Duration = .seconds(15)
    /// How long a whole request for a list or a manifest may take. 60 s by default.
    package var documentTimeout: Duration = .seconds(60)
    /// How long a whole request for an asset may take. 30 min by default.
    package var assetTimeout: Duration = .seconds(1800)

    /// The lowest rate at which an asset may arrive, in bytes per second. 1024 by default.
    package var leastThroughput: Int64 = 1024
    /// The time over which the rate is measured. 30 s by default.
    package var throughputWindow: Duration = .seconds(30)

    /// How many times a request is made before its failure is reported. 3 by default.
    package var attempts = 3
    /// The upper bound of the first pause between these attempts; it doubles each time. 250 ms by default.
    package var attemptPause: Duration = .milliseconds(250)
    /// The pauses between syncs of a beacon whose sync failed: up to this, doubled each time. 1 s by default.
    package var retryPause: Duration = .seconds(1)
    /// The upper bound of these pauses. 5 s by default, so that a network that is back is used within seconds.
    package var maximumRetryPause: Duration = .seconds(5)
    /// The longest `Retry-After` of a server that is obeyed. 5 min by default.
    package var maximumRetryAfter: Duration = .seconds(300)
    /// How often the nearest beacon's content is validated again while it stays the nearest. Also the longest pause
    /// after a failure that only the site's owner can correct. 5 min by default; nil for never.
    package var revalidationInterval: Duration? = .seconds(300)
    /// How long a site without a `site.json` is not asked for it again. 60 s by default.
    package var listAbsenceLifetime: Duration = .seconds(60)

    /// Assets that are fetched at the same time for the nearest beacon; one at a time for former ones. 4 by default.
    package var parallelTransfers = 4
    /// The shortest interval between progress reports for a beacon. Completed assets are always reported. 100 ms by
    /// default.
    package var progressInterval: Duration = .milliseconds(100)

    /// Keys that may sign the site list. If there are any, a list that is not signed by one of them is refused.
    package var publicKeys: [SiteKey] = []

    /// What is fetched before it is wanted. Everything by default.
    package var prefetch: Prefetch = .everything
    /// How often the site list is requested, whether a beacon is near or not. 5 min by default; nil for never.
    package var syncInterval: Duration? = .seconds(300)
    /// Manifests that are synced at the same time during a sync of the whole site. 32 by default: most of them wait for
    /// the disk, and larger batches need fewer flushes. Transfers have their own limit.
    package var parallelManifests = 32
    /// The largest total size of the store on the disk, in bytes. 16 GiB by default; nil for no limit.
    package var quotaBytes: Int64? = 16 << 30
    /// Beacons whose content is never evicted.
    package var pinned: Set<BeaconID> = []

    /// Other hosts to which the site may redirect, in lower case, such as those of a CDN. They never get the token.
    package var allowedRedirectHosts: Set<String> = []
    /// The HTTP proxies; nil for none. `ProxySettings(environment:)` reads the usual variables.
    package var proxy: ProxySettings?
    /// A file with certificates in PEM form that replace the system's trusted ones; nil to use the system's.
    package var authorityFile: String?
    /// SHA-256 hashes of the keys that the server may have, in base64 (as in RFC 7469, 2.4). Without an authority file,
    /// only these hashes are checked, so that a self-signed certificate can be used.
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
        /// The likely content first, then the rest of the site, as far as the quota allows.
        package static var everything: Self { Self(rawValue: "everything") }
    }

    let base: BaseURL

    /// - Parameters:
    ///   - baseURL: http or https, without user, query or fragment.
    ///   - directory: the store's directory; it is created if it is missing.
    ///   - token: a bearer token, or nil.
    /// - Throws: `ContentError` with code `.settings`, which names the setting, the fault and a valid example.
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

    /// The target of a redirect, if it is allowed, and whether the token may be sent there.
    ///
    /// - Parameters:
    ///   - url: the URL that redirects.
    ///   - location: the header `Location` of the answer, relative or not; nil if it is missing.
    /// - Throws: `ContentError` with code `.redirect`.
    package func redirect(
        from url: String, location: String?
    ) throws(ContentError) -> (url: String, mayAuthorize: Bool) {
        try base.redirect(from: url, location: location, allowedHosts: allowedRedirectHosts)
    }

    /// The same settings with another store.
    ///
    /// - Throws: `ContentError` with code `.settings` if the directory is empty.
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
