package import SiteFormat

/// Whether content that a site no longer has is removed now, or only after a second look. Pure.
///
/// If half of a site is suddenly gone, this is more often a mistake (a wrong folder was published, an export was cut
/// short) than intended. So nothing is removed unless the content is still gone one interval later.
package enum RemovalConfirmation {
    package enum Verdict: Hashable, Sendable {
        case take
        /// Nothing is removed before `until`; the change was first seen at `since`. Both are in seconds since 1970.
        case wait(since: Int64, until: Int64)
    }

    /// - Parameters:
    ///   - removed: how many of `count` would be removed.
    ///   - since: when this was first seen, in seconds since 1970; nil if it was not seen before.
    ///   - isMeant: somebody has confirmed that it is intended.
    package static func verdict(
        removing removed: Int, of count: Int, since: Int64?, now: Int64, interval: Int64, isMeant: Bool
    ) -> Verdict {
        guard removed * 2 > count, !isMeant else { return .take }
        // A clock that was set back must not make the wait longer than one more interval.
        let first = since.map { $0 > now ? now : max($0, 0) } ?? now
        guard since != nil, now - first >= interval else { return .wait(since: first, until: first + interval) }
        return .take
    }
}

/// Manifests that a site without a list no longer has. Pure.
///
/// Such a site reports each manifest as missing by itself, and reports all of them as missing if its folder was moved
/// away. So a stored manifest is removed only if it was missing twice, at least one interval apart, and the site has
/// answered with another manifest between the two.
package struct Absences: Sendable {
    private var since: [ContentScope: Duration] = [:]
    /// When a manifest was last found.
    private var lastFound: Duration?

    /// With more than this, further absences are not remembered, and count as new each time.
    package static let maximum = 4096

    package init() {}

    package mutating func found(_ scope: ContentScope, at now: Duration) {
        since[scope] = nil
        lastFound = now
    }

    /// - Returns: whether the stored manifest may be removed.
    package mutating func isGone(_ scope: ContentScope, at now: Duration, interval: Duration) -> Bool {
        guard let first = since[scope] else {
            if since.count < Self.maximum { since[scope] = now }
            return false
        }
        guard now - first >= interval, let lastFound, lastFound > first else { return false }
        since[scope] = nil
        return true
    }
}
