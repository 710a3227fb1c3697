package import SiteFormat

/// Whether what a site does not have any more is removed now, or first looked at once more. Pure.
///
/// Half a site that is gone at once is more often a mistake (a wrong folder published, an export cut short) than meant.
/// So it is only believed when it is still so an interval later.
package enum RemovalConfirmation {
    package enum Verdict: Hashable, Sendable {
        case take
        /// Nothing is removed until then, in seconds since 1970; it was first seen at `since`.
        case wait(since: Int64, until: Int64)
    }

    /// - Parameters:
    ///   - removed: how many of `count` would go.
    ///   - since: when it was first seen, in seconds since 1970; nil where it was not seen before.
    ///   - isMeant: somebody has said so.
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

/// Manifests that a site without a list does not have any more. Pure.
///
/// Such a site says of each manifest for itself that it is not there, and says the same of all when its folder was
/// moved away. So a stored manifest goes only when it was missing twice, an interval apart, and the site has answered
/// with another one between the two.
package struct Absences: Sendable {
    private var since: [ContentScope: Duration] = [:]
    /// When a manifest was there last.
    private var lastFound: Duration?

    /// More are not remembered: they are looked at anew.
    package static let maximum = 4096

    package init() {}

    package mutating func found(_ scope: ContentScope, at now: Duration) {
        since[scope] = nil
        lastFound = now
    }

    /// - Returns: whether what is stored for it may be removed.
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
