/// Assigns places on the air to beacons. A beacon keeps its place as long as no other one waits; otherwise they take
/// turns. Pure.
package struct SceneTurns: Sendable {
    private struct Place: Sendable {
        var beacon: Int
        var since: Duration
    }

    private let turn: Duration
    private var places: [Place?]
    /// The beacons that wait, the longest waiting first.
    private var queue: [Int] = []

    /// - Parameters:
    ///   - count: the number of places.
    ///   - turn: how long a beacon stays on the air if others wait.
    package init(places count: Int, turn: Duration) {
        places = Array(repeating: nil, count: max(0, count))
        self.turn = turn
    }

    /// Removes a place that is no longer available. Its beacon waits in front of the others.
    package mutating func remove(place index: Int) {
        guard places.indices.contains(index) else { return }
        if let place = places.remove(at: index) { queue.insert(place.beacon, at: 0) }
    }

    /// The beacon in each place at an instant.
    ///
    /// - Parameter present: the numbers of the beacons that should be on the air now.
    package mutating func update(_ present: [Int], at now: Duration) -> [Int?] {
        let wanted = Set(present)
        for index in places.indices where places[index].map({ !wanted.contains($0.beacon) }) == true {
            places[index] = nil
        }
        queue.removeAll { !wanted.contains($0) }
        let known = Set(queue + places.compactMap { $0?.beacon })
        queue += present.filter { !known.contains($0) }

        // While there are free places, no beacon has to give up its own.
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
