import Platform

/// Decides when a revision is put into the static folder: at once if it is new, after a failure with growing pauses.
/// Once an hour again in any case, to remove what is old.
package struct FolderFollower: Sendable {
    package static let refreshS = 3600.0
    private var held: Int64 = 0
    private var heldSince: Duration = .zero
    private var failed: Int64?
    private var notBefore: Duration = .zero
    private var backoff = Backoff(longest: 300)

    package init() {}

    /// - Parameter now: on a clock that only goes forward.
    package mutating func wants(_ revision: Int64, at now: Duration) -> Bool {
        if revision == held {
            guard now - heldSince >= .seconds(Self.refreshS) else { return false }
            heldSince = now
            return true
        }
        return failed != revision || now >= notBefore
    }

    package mutating func holds(_ revision: Int64, at now: Duration) {
        held = revision
        heldSince = max(heldSince, now)
        failed = nil
        backoff.reset()
    }

    package mutating func failed(_ revision: Int64, at now: Duration) {
        if failed != revision { backoff.reset() }
        failed = revision
        notBefore = now + .seconds(backoff.next())
    }
}
