extension RoomResolver {
    /// Continues from the state of another resolver, on the same map.
    ///
    /// - Returns: nil if the checkpoint is of another map, or invalid.
    package init?(_ map: RoomMap, from checkpoint: RoomCheckpoint) {
        self.init(map)
        let isUsable =
            checkpoint.map == map.digest && checkpoint.antennas.count == map.places.count
            && checkpoint.lastAwake.count == map.places.count && checkpoint.followed.count <= capacity
        guard isUsable else { return nil }
        for (scanner, decibels) in checkpoint.antennas.enumerated() { offsets.adopt(decibels, scanner: scanner) }
        lastAwake = checkpoint.lastAwake.map { $0 ?? .min }
        proposal = checkpoint.proposal
        for known in checkpoint.followed {
            guard let locator = BeaconLocator(known, on: map),
                [known.room, known.lastRoom].allSatisfy({ $0.map(map.rooms.indices.contains) ?? true }),
                known.witnesses.allSatisfy(map.places.indices.contains)
            else { return nil }
            tracked[known.beacon] = Tracked(
                locator: locator, decision: RoomDecision(known), witnesses: known.witnesses, began: known.began,
                spot: known.spot)
        }
    }

    /// The state from which another resolver can continue, right after the last second of a minute.
    package func checkpoint(_ second: Int64) -> RoomCheckpoint {
        let followed = tracked.sorted { $0.key < $1.key }.map { beacon, tracked in
            let (learned, decision) = (tracked.locator.learned, tracked.decision)
            return RoomCheckpoint.Followed(
                beacon: beacon, level: learned.level, variance: learned.variance, pause: learned.pause,
                lastSecond: tracked.locator.lastSecond, began: tracked.began, lastHeard: learned.lastHeard,
                witnesses: tracked.witnesses, places: tracked.locator.places, room: decision.room,
                lastRoom: decision.last, unknown: decision.unknown, since: decision.since, doubtful: decision.doubtful,
                spot: tracked.spot)
        }
        return RoomCheckpoint(
            second: second, map: map.digest, followed: followed, antennas: offsets.decibels,
            lastAwake: lastAwake.map { $0 == .min ? nil : $0 }, proposal: proposal)
    }
}
