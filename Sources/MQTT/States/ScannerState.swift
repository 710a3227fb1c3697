import Beacon
import Events
import FleetFormat

/// The published state of the scanner itself. A plain value.
struct ScannerState: Sendable {
    private var known: (snapshot: EventHub.Snapshot, time: Timestamp)?
    private var clock = FleetClock.State()
    private var blindSince: Timestamp?

    mutating func update(_ snapshot: EventHub.Snapshot, at time: Timestamp) {
        blindSince = snapshot.isBlind ? blindSince ?? time : nil
        known = (snapshot, time)
    }

    /// - Parameter clock: this machine's clock, compared with the fleet's.
    /// - Returns: whether the state of the clock has changed.
    mutating func update(_ clock: FleetClock.State) -> Bool {
        defer { self.clock = clock }
        return clock != self.clock
    }

    /// Nil while the state is unknown.
    func payload(_ texts: StateTexts) -> String? {
        known.map { texts.scanner($0.snapshot, blindSince: blindSince, clock: clock, at: $0.time) }
    }
}
