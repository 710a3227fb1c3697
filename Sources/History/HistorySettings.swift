/// How much of the past is kept, and where.
public struct HistorySettings: Sendable, Hashable {
    /// The database. Its folder is made where it is not there.
    public var file: String
    /// Days after which what was recorded is removed.
    public var retentionDays: Int
    /// Octets on the disk, with everything that belongs to the database; where they are reached, the oldest goes first.
    public var maximumBytes: Int64
    /// Seconds that are recorded as one.
    public var interval: Int

    /// The least that `maximumBytes` can be.
    public static let leastBytes: Int64 = 16 << 20

    public init(file: String, retentionDays: Int = 30, maximumBytes: Int64 = 500_000_000, interval: Int = 60) {
        self.file = file
        self.retentionDays = max(1, retentionDays)
        self.maximumBytes = max(Self.leastBytes, maximumBytes)
        self.interval = min(max(1, interval), 3600)
    }
}
