internal import SiteFormat

/// Determines the number of the next revision. Devices and folders refuse a list with a lower number than the one they
/// have. This happens after an old backup was restored.
package struct RevisionNumbers: Hashable, Sendable {
    /// The current revision; 0 if nothing is published.
    package let current: Int64
    /// The highest number that a device reports, if it is higher than the current one.
    package let ahead: Int64?

    /// The highest possible number of a revision.
    package static let highest: Int64 = 1 << 40
    /// Reports that are further ahead than this are ignored: a device must not use up the numbers. It is more than the
    /// revisions that are made after a backup.
    package static let mostReported: Int64 = 10_000

    package init(current: Int64?, reported: [Int64]) {
        let current = current ?? 0
        self.current = current
        ahead = reported.filter { $0 > current && $0 - current <= Self.mostReported }.max()
    }

    package var next: Int64 { (ahead ?? current) + 1 }

    /// - Parameter least: the lowest number that is wanted.
    /// - Throws: `limit` if it is so high that the numbers would soon be used up.
    package func next(atLeast least: Int64?) throws(StoreError) -> Int64 {
        let number = max(next, least ?? next)
        let most = min(Self.highest, current + SiteList.largestRevisionStep)
        guard number <= most else {
            throw StoreError(
                .limit, "\(number) is more than the highest number of the next revision, which is \(most)",
                remedy: "choose a lower number")
        }
        return number
    }
}
