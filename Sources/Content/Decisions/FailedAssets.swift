package import SiteFormat

/// Assets that the site does not give as its manifests promise them, and until when each is left alone: several
/// manifests may name it, and each is synced by a time-table of its own. Pure.
package struct FailedAssets: Sendable {
    private struct Failure {
        /// As it was promised: with another size it may be right.
        var bytes: Int64
        var count: Int
        var until: Duration
        var error: ContentError
    }

    private var failures: [AssetHash: Failure] = [:]

    /// More are not remembered, and asked for again.
    package static let maximum = 4096

    package init() {}

    /// Whether only the site's owner can correct what is wrong with an asset.
    package static func isLasting(_ error: ContentError) -> Bool {
        [.refused, .redirect, .hash, .tooLarge].contains(error.code)
    }

    /// How often it has failed in a row.
    package func count(of asset: ManifestAsset) -> Int {
        failures[asset.sha256].map { $0.bytes == asset.bytes ? $0.count : 0 } ?? 0
    }

    /// Why it is not asked for now; nil where it may be.
    ///
    /// - Parameter isOnce: whoever needs it asks for nothing twice, however long he takes.
    package func refusal(of asset: ManifestAsset, at now: Duration, isOnce: Bool = false) -> ContentError? {
        guard let failure = failures[asset.sha256], failure.bytes == asset.bytes, isOnce || failure.until > now
        else { return nil }
        var error = failure.error
        // Whoever needs it does not come back before.
        error.retryAfter = max(failure.until - now, .zero)
        return error
    }

    /// It has failed once more.
    package mutating func note(_ asset: ManifestAsset, _ error: ContentError, until: Duration) {
        guard failures[asset.sha256] != nil || failures.count < Self.maximum else { return }
        failures[asset.sha256] = Failure(bytes: asset.bytes, count: count(of: asset) + 1, until: until, error: error)
    }

    /// It is there.
    package mutating func forget(_ hash: AssetHash) {
        failures[hash] = nil
    }

    /// Each may be asked for again.
    package mutating func forgetAll() {
        failures = [:]
    }
}
