package import Ranging

/// How much of the past is kept, and where.
package struct HistorySettings: Sendable, Hashable {
    /// The database. Its folder is made where it is not there.
    package var file: String
    /// Days after which what was recorded is removed.
    package var retentionDays: Int
    /// Octets on the disk, with everything that belongs to the database; where they are reached, the oldest goes first.
    package var maximumBytes: Int64
    /// Seconds that are recorded as one.
    package var interval: Int

    /// Beacons in these have room of their own, in a flood of forged ones.
    package var regions: [BeaconRegion] = []

    /// Beacons without a name, a region or a past that are kept: the oldest go first. As many again in regions.
    package var mostPassing: Int { Int(clamping: min(20_000, maximumBytes / 25_000)) }
    /// What may be used of the file: the rest is for its log, and for what one interval adds.
    var usableBytes: Int64 { maximumBytes - max(4 << 20, min(maximumBytes / 16, 32 << 20)) }

    /// The least that `maximumBytes` can be.
    package static let leastBytes: Int64 = 16 << 20

    package init(file: String, retentionDays: Int = 30, maximumBytes: Int64 = 500_000_000, interval: Int = 60) {
        self.file = file
        self.retentionDays = max(1, retentionDays)
        self.maximumBytes = max(Self.leastBytes, maximumBytes)
        self.interval = min(max(1, interval), 3600)
    }
}
