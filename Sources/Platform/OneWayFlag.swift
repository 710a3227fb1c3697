import Synchronization

/// A flag that any thread may raise. It is never lowered.
package final class OneWayFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isUp: Bool { value.load(ordering: .acquiring) }

    /// Raises the flag. A thread that finds it raised also sees everything that was written before.
    package func raise() {
        value.store(true, ordering: .releasing)
    }
}
