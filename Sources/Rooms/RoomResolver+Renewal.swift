extension RoomResolver {
    /// Continues after scanners were added, removed or moved. When each scanner last received a beacon is kept, so that
    /// silence continues; where a beacon was within its room is not kept.
    ///
    /// - Parameter known: rooms and levels, which may be newer than those of the old resolver.
    package init(_ map: RoomMap, continuing known: RoomContinuation, after old: RoomResolver) {
        self.init(map, continuing: known)
        proposal = old.proposal
        let kept = old.map.places.map { place in map.places.firstIndex { $0.scanner == place.scanner } }
        for (index, scanner) in kept.enumerated() {
            if let scanner { lastAwake[scanner] = old.lastAwake[index] }
        }
        for (beacon, before) in old.tracked {
            guard var now = tracked.removeValue(forKey: beacon) else { continue }
            now.began = before.began
            now.witnesses = before.witnesses.compactMap { kept[$0] }
            now.locator.adoptHearing(of: before.locator, scanners: kept)
            tracked[beacon] = now
        }
    }
}

extension BeaconLocator {
    /// - Parameter scanners: the index here of each scanner of the other locator; nil for one that was removed.
    fileprivate mutating func adoptHearing(of other: BeaconLocator, scanners: [Int?]) {
        (lastSecond, pause) = (other.lastSecond, other.pause)
        for (index, scanner) in scanners.enumerated() {
            if let scanner { lastHeard[scanner] = other.lastHeard[index] }
        }
    }
}
