import Synchronization

/// A flag that any thread may raise, and that stays up.
package final class OneWayFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isUp: Bool { value.load(ordering: .acquiring) }

    /// What was written before is seen by whoever finds the flag up.
    package func raise() {
        value.store(true, ordering: .releasing)
    }
}
