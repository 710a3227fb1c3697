package import Beacon

/// An event with its number and its time.
package struct EventRecord: Sendable, Identifiable {
    /// Increases by one with every event. The first of a run is the start time in microseconds since the epoch, so that
    /// numbers keep increasing over restarts; if the clock was set back, it is one more than the last. It stays exact
    /// in JSON (below 2^53).
    package typealias ID = UInt64

    package var id: ID
    /// When the event happened.
    package var time: Timestamp
    package var event: DaemonEvent

    package init(id: ID, time: Timestamp, event: DaemonEvent) {
        self.id = id
        self.time = time
        self.event = event
    }
}
