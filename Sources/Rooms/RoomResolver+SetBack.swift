extension RoomResolver {
    /// The fleet's time was set back: moves later times to now. Otherwise a silent beacon would stay in its room until
    /// that time comes again.
    mutating func followTime(to second: Int64) {
        guard lastAwake.contains(where: { $0 > second }) else { return }
        lastAwake = lastAwake.map { min($0, second) }
        tracked = tracked.mapValues { before in
            var now = before
            now.began = now.began.map { min($0, second) }
            now.locator.followTime(to: second)
            return now
        }
    }
}

extension BeaconLocator {
    fileprivate mutating func followTime(to second: Int64) {
        lastSecond = lastSecond.map { min($0, second) }
        lastHeard = lastHeard.map { min($0, second) }
    }
}
