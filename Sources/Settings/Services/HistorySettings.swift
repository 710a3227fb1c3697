package import Ranging

/// How much history is kept, and where.
package struct HistorySettings: Sendable, Hashable {
    /// The database. Its folder is created if it does not exist.
    package var file: String
    /// The number of days after which records are removed.
    package var retentionDays: Int
    /// The maximum size on disk, in bytes, with all files of the database. When it is reached, the oldest records are
    /// removed.
    package var maximumBytes: Int64
    /// The length of a recorded interval, in seconds.
    package var interval: Int

    /// Beacons in these regions have their own room, even in a flood of forged beacons.
    package var regions: [BeaconRegion] = []

    /// How many beacons without a name, a region or a past are kept: the oldest are removed. The same number again in
    /// regions.
    package var mostPassing: Int { Int(clamping: min(20_000, maximumBytes / 25_000)) }
    /// How much of the file may be used: the rest is for its log and for what one interval adds.
    package var usableBytes: Int64 { maximumBytes - max(4 << 20, min(maximumBytes / 16, 32 << 20)) }

    /// The smallest allowed `maximumBytes`.
    package static let leastBytes: Int64 = 16 << 20

    package init(file: String, retentionDays: Int = 30, maximumBytes: Int64 = 500_000_000, interval: Int = 60) {
        self.file = file
        self.retentionDays = max(1, retentionDays)
        self.maximumBytes = max(Self.leastBytes, maximumBytes)
        self.interval = min(max(1, interval), 3600)
    }
}
