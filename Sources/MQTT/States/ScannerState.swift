import Beacon
import Events
import FleetFormat

/// What is published of the scanner itself. A plain value.
struct ScannerState: Sendable {
    private var known: (snapshot: EventHub.Snapshot, time: Timestamp)?
    private var clock = FleetClock.State()
    private var blindSince: Timestamp?

    mutating func update(_ snapshot: EventHub.Snapshot, at time: Timestamp) {
        blindSince = snapshot.isBlind ? blindSince ?? time : nil
        known = (snapshot, time)
    }

    /// - Parameter clock: how this machine's clock is against the fleet's.
    /// - Returns: whether that has changed.
    mutating func update(_ clock: FleetClock.State) -> Bool {
        defer { self.clock = clock }
        return clock != self.clock
    }

    /// Nil while the state is not known.
    func payload(_ texts: StateTexts) -> String? {
        known.map { texts.scanner($0.snapshot, blindSince: blindSince, clock: clock, at: $0.time) }
    }
}
