extension BeaconLocator {
    /// - Returns: nil if the numbers cannot be those of a beacon on this map.
    init?(_ known: RoomCheckpoint.Followed, on map: RoomMap) {
        self.init(map, reference: known.level)
        let isUsable =
            (-200...100).contains(known.level) && (0...10_000).contains(known.variance)
            && (0...6400).contains(known.pause)
            && known.lastHeard.keys.allSatisfy(map.places.indices.contains)
        guard isUsable else { return nil }
        referenceVariance = known.variance
        pause = Double(known.pause) / Self.pausesPerSecond
        lastSecond = known.lastSecond
        for (scanner, second) in known.lastHeard { lastHeard[scanner] = second }
        guard let places = known.places else { return }
        let counts = [places.still, places.moving]
        guard counts.allSatisfy({ $0.allSatisfy { map.cells.indices.contains($0) && (1...8192).contains($1) } }),
            counts.contains(where: { !$0.isEmpty })
        else { return nil }
        still = map.cells.indices.map { Double(places.still[$0] ?? 0) * Self.quantum }
        moving = map.cells.indices.map { Double(places.moving[$0] ?? 0) * Self.quantum }
        isAnywhere = false
    }

    /// Where the beacon may be, at the end of a minute; nil for anywhere.
    var places: RoomCheckpoint.Places? {
        isAnywhere ? nil : RoomCheckpoint.Places(still: Self.counts(still), moving: Self.counts(moving))
    }

    private static func counts(_ probabilities: [Double]) -> RoomCheckpoint.Belief {
        var counts: RoomCheckpoint.Belief = [:]
        for (cell, probability) in probabilities.enumerated() where probability > 0 {
            counts[cell] = Int((probability / quantum).rounded())
        }
        return counts
    }

    /// The rest of its state, at the end of a minute.
    var learned: (level: Double, variance: Double, pause: Int, lastHeard: [Int: Int64]) {
        let heard = lastHeard.enumerated().filter { $0.element != .min }
        return (
            reference, referenceVariance, Int((pause * Self.pausesPerSecond).rounded()),
            Dictionary(heard.map { ($0.offset, $0.element) }) { first, _ in first }
        )
    }
}
