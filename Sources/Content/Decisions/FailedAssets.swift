package import SiteFormat

/// Assets that the site does not deliver as its manifests promise, and until when each of them is not requested.
/// Several manifests may name one asset, and each is synced on its own schedule. Pure.
package struct FailedAssets: Sendable {
    private struct Failure {
        /// The promised size. With another size, the asset may be right.
        var bytes: Int64
        var count: Int
        var until: Duration
        var error: ContentError
    }

    private var failures: [AssetHash: Failure] = [:]

    /// With more than this, further failures are not remembered, and the assets are requested again.
    package static let maximum = 4096

    package init() {}

    /// Whether only the site's owner can correct what is wrong with an asset.
    package static func isLasting(_ error: ContentError) -> Bool {
        [.refused, .redirect, .hash, .tooLarge].contains(error.code)
    }

    /// How many times in a row the asset has failed.
    package func count(of asset: ManifestAsset) -> Int {
        failures[asset.sha256].map { $0.bytes == asset.bytes ? $0.count : 0 } ?? 0
    }

    /// Why the asset is not requested now; nil if it may be.
    ///
    /// - Parameter isOnce: the caller requests nothing twice, however long it takes.
    package func refusal(of asset: ManifestAsset, at now: Duration, isOnce: Bool = false) -> ContentError? {
        guard let failure = failures[asset.sha256], failure.bytes == asset.bytes, isOnce || failure.until > now
        else { return nil }
        var error = failure.error
        // The caller does not try again before that.
        error.retryAfter = max(failure.until - now, .zero)
        return error
    }

    /// Records one more failure of the asset.
    package mutating func note(_ asset: ManifestAsset, _ error: ContentError, until: Duration) {
        guard failures[asset.sha256] != nil || failures.count < Self.maximum else { return }
        failures[asset.sha256] = Failure(bytes: asset.bytes, count: count(of: asset) + 1, until: until, error: error)
    }

    /// Forgets the failures of an asset that was fetched.
    package mutating func forget(_ hash: AssetHash) {
        failures[hash] = nil
    }

    /// Forgets all failures, so that every asset may be requested again.
    package mutating func forgetAll() {
        failures = [:]
    }
}
