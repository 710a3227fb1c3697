internal import Beacon
package import SiteFormat

/// Whether a list's revision may follow the one that was accepted last. Pure.
///
/// A revision never goes back, and one revision means one list. An unsigned list may come from anybody. Its revision
/// must not be so high that the site's owner could never publish a higher one. The limit depends on how the site
/// counts, which the last revision shows: a date in one of the usual forms may be up to ten years ahead, and any other
/// number may rise by `SiteList.largestRevisionStep`.
package enum RevisionRule {
    package enum Verdict: Hashable, Sendable {
        case good
        /// A higher revision was accepted before.
        case older
        /// The same revision, with other bytes.
        case otherBytes
        /// The revision is higher than an unsigned list may have.
        case tooFar(limit: Int64)
    }

    /// - Parameters:
    ///   - last: the list that was accepted last from this base; nil if there was none.
    ///   - now: seconds since 1970. A clock that was never set counts as 2026.
    package static func verdict(
        _ revision: Int64, _ hash: AssetHash, after last: (revision: Int64, sha256: AssetHash)?, isSigned: Bool,
        now: Int64
    ) -> Verdict {
        if let last {
            if revision < last.revision { return .older }
            // A site that does not count has revision 0 in every list.
            if revision == last.revision, revision != 0, hash != last.sha256 { return .otherBytes }
        }
        guard !isSigned else { return .good }
        let limit = limit(after: last?.revision, now: now)
        return revision > limit ? .tooFar(limit: limit) : .good
    }

    package static func limit(after last: Int64?, now: Int64) -> Int64 {
        let forms = dateForms(now: now)
        guard let last else { return forms.map(\.upperBound).max() ?? .max }
        let next = last.addingClamped(SiteList.largestRevisionStep)
        return max(next, forms.first { $0.contains(last) }?.upperBound ?? next)
    }

    /// The ranges of dates from 2000 to ten years from now: seconds, milliseconds, microseconds and nanoseconds since
    /// 1970, and digits that start with the year (20261231, 2026123101, 202612312359, 20261231235959,
    /// 20261231235959999).
    private static func dateForms(now: Int64) -> [ClosedRange<Int64>] {
        let (year2000, year2026) = (Int64(946_684_800), Int64(1_767_225_600))
        let tenYears = Int64(315_576_000)
        let latest = min(max(now, year2026), 4_102_444_800) + tenYears
        let epochs = [1, 1000, 1_000_000, 1_000_000_000].map { (scale: Int64) in year2000 * scale...latest * scale }
        let lastYear = 1970 + latest / 31_556_952
        let digits = [10_000, 1_000_000, 100_000_000, 10_000_000_000, 10_000_000_000_000].map { (scale: Int64) in
            2000 * scale...(lastYear + 1) * scale
        }
        return epochs + digits
    }
}
