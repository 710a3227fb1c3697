import Broker
import FleetFormat
import Rooms

// How a new resolver takes over what others know, and how it hands over to the next one.
extension FleetResolver {
    /// Publishes from now on: first what has changed while no resolver published.
    mutating func answer() {
        isAnswering = true
        others.join()
        collector.forgetSeconds()
        tellPresence()
        publish(resolver.answers.filter { isNews($0) })
        announceAll()
    }

    /// Continues from the state of the others at the end of the last minute.
    ///
    /// - Returns: whether that was possible. Then it knows the same as they do.
    mutating func takeOver() -> Bool {
        guard let (checkpoint, later) = collector.handover, var taken = RoomResolver(resolver.map, from: checkpoint)
        else {
            return false
        }
        if let agreed, agreed.second > checkpoint.second { taken.adopt(agreed) }
        for (second, reports) in later { _ = taken.resolve(second, reports) }
        resolver = taken
        return true
    }

    mutating func tellCheckpoint(_ second: Int64) {
        let checkpoint = resolver.checkpoint(second)
        let parts = CheckpointMessage.parts(checkpoint)
        checkpointNotice.look(parts: parts.count, beacons: checkpoint.followed.count)
        for (number, part) in parts.enumerated() { states.set(topics.checkpoint(number), part) }
        for number in collector.retainedParts where number >= parts.count { states.clear(topics.checkpoint(number)) }
    }

    /// Continues from a checkpoint that the broker retains, and from the messages after it.
    mutating func restart(_ map: RoomMap, _ second: Int64) -> Bool {
        guard let checkpoint = collector.checkpoint, (0...Self.checkpointAge).contains(second &- checkpoint.second),
            let kept = RoomResolver(map, from: checkpoint)
        else { return false }
        resolver = kept
        for known in retained.own where known.since > checkpoint.second || resolver.level(of: known.beacon) == nil {
            resolver.adopt(known)
        }
        if let agreed { resolver.adopt(agreed) }
        return true
    }
}
