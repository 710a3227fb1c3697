package import Beacon

/// An event with its number and its time.
package struct EventRecord: Sendable, Identifiable {
    /// Rises by one with every event. The first of a run is the time of the start in microseconds since the epoch, so
    /// that numbers go on rising over restarts; where the clock was set back, one more than the last. Stays exact in
    /// JSON (below 2^53).
    package typealias ID = UInt64

    package var id: ID
    /// When it was noticed.
    package var time: Timestamp
    package var event: DaemonEvent

    package init(id: ID, time: Timestamp, event: DaemonEvent) {
        self.id = id
        self.time = time
        self.event = event
    }
}
