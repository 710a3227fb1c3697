/// Who has which place on the air: beacons keep their place as long as nobody waits for it, and take turns otherwise.
/// Pure.
package struct SceneTurns: Sendable {
    private struct Place: Sendable {
        var beacon: Int
        var since: Duration
    }

    private let turn: Duration
    private var places: [Place?]
    /// Beacons that wait, the longest first.
    private var queue: [Int] = []

    /// - Parameters:
    ///   - count: places.
    ///   - turn: how long a beacon stays on the air where others wait.
    package init(places count: Int, turn: Duration) {
        places = Array(repeating: nil, count: max(0, count))
        self.turn = turn
    }

    /// A place that is not to be had any more; its beacon waits for another, before the others.
    package mutating func remove(place index: Int) {
        guard places.indices.contains(index) else { return }
        if let place = places.remove(at: index) { queue.insert(place.beacon, at: 0) }
    }

    /// The beacon on each place at an instant.
    ///
    /// - Parameter present: those that want to be on the air now, by their numbers.
    package mutating func update(_ present: [Int], at now: Duration) -> [Int?] {
        let wanted = Set(present)
        for index in places.indices where places[index].map({ !wanted.contains($0.beacon) }) == true {
            places[index] = nil
        }
        queue.removeAll { !wanted.contains($0) }
        let known = Set(queue + places.compactMap { $0?.beacon })
        queue += present.filter { !known.contains($0) }

        // Nobody has to go while there is room.
        for index in places.indices where places[index] == nil && !queue.isEmpty {
            places[index] = Place(beacon: queue.removeFirst(), since: now)
        }
        for index in places.indices where !queue.isEmpty {
            guard let place = places[index], now - place.since >= turn else { continue }
            queue.append(place.beacon)
            places[index] = Place(beacon: queue.removeFirst(), since: now)
        }
        return places.map { $0?.beacon }
    }
}
