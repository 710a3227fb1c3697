import Metrics
import Synchronization

/// So many at the same time, and no more.
final class Places: Sendable {
    let maximum: Int
    private let count = Atomic<Int>(0)
    private let meter: Meter?

    /// - Parameter meter: a metric that shows how many are taken.
    init(maximum: Int, meter: String? = nil) {
        self.maximum = maximum
        self.meter = meter.map { Meter(label: $0) }
        self.meter?.set(0)
    }

    /// A place, which is given back when it is let go of; nil where all are taken.
    func take() -> Place? {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        meter?.increment()
        return Place(places: self)
    }

    final class Place: Sendable {
        private let places: Places

        fileprivate init(places: Places) {
            self.places = places
        }

        deinit {
            places.count.subtract(1, ordering: .relaxed)
            places.meter?.decrement()
        }
    }
}
