extension RoomResolver {
    /// The maximum number of probabilities of all beacons together: what a checkpoint has room for.
    package static let mostPlaces = 400_000
    /// Seconds after which a silent beacon's room is no longer published.
    private static let untold: Int64 = 10

    /// Called at the end of a minute: forgets the places of the beacons that have been silent longest, as many as
    /// necessary. All resolvers forget the same.
    mutating func limitPlaces(_ second: Int64) {
        var count = tracked.values.reduce(0) { $0 + $1.locator.placeCount }
        guard count > Self.mostPlaces else { return }
        let silent = tracked.map { (last: $0.value.silentSince ?? second, beacon: $0.key) }
            .filter { Self.seconds(from: $0.last, to: second) >= Self.untold }
            .sorted { ($0.last, $0.beacon) < ($1.last, $1.beacon) }
        for (_, beacon) in silent where count > Self.mostPlaces {
            count -= tracked[beacon]?.locator.placeCount ?? 0
            tracked[beacon]?.locator.forgetPlace(map)
        }
    }
}

extension BeaconLocator {
    /// The number of its probabilities that are not 0.
    fileprivate var placeCount: Int { isAnywhere ? 0 : still.count { $0 > 0 } + moving.count { $0 > 0 } }
}
