import Synchronization

/// So many at the same time, and no more.
final class Places: Sendable {
    let maximum: Int
    private let count = Atomic<Int>(0)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// A place, which is given back when it is let go of; nil where all are taken.
    func take() -> Place? {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(places: self)
    }

    final class Place: Sendable {
        private let places: Places

        fileprivate init(places: Places) {
            self.places = places
        }

        deinit {
            places.count.subtract(1, ordering: .relaxed)
        }
    }
}
