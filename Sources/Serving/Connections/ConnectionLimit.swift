import Metrics
import Synchronization

/// Limits how many of a thing, for example connections, exist at the same time.
package final class ConnectionLimit: Sendable {
    package let maximum: Int
    private let count = Atomic<Int>(0)
    private let meter: Meter?

    /// - Parameter meter: the name of a metric that shows how many are in use.
    package init(maximum: Int, meter: String? = nil) {
        self.maximum = maximum
        self.meter = meter.map { Meter(label: $0) }
        self.meter?.set(0)
    }

    /// A slot, which is free again when it is released; nil if all are in use.
    package func take() -> Slot? {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        meter?.increment()
        return Slot(limit: self)
    }

    package final class Slot: Sendable {
        private let limit: ConnectionLimit

        fileprivate init(limit: ConnectionLimit) {
            self.limit = limit
        }

        deinit {
            limit.count.subtract(1, ordering: .relaxed)
            limit.meter?.decrement()
        }
    }
}
