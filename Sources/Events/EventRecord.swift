public import Beacon

/// An event with its number and its time.
public struct EventRecord: Sendable, Identifiable {
    /// Rises by one with every event. The first of a run is the time of the start in microseconds since the epoch, so
    /// that numbers go on rising over restarts; where the clock was set back, one more than the last. Stays exact in
    /// JSON (below 2^53).
    public typealias ID = UInt64

    public var id: ID
    /// When it was noticed.
    public var time: Timestamp
    public var event: DaemonEvent

    public init(id: ID, time: Timestamp, event: DaemonEvent) {
        self.id = id
        self.time = time
        self.event = event
    }
}
