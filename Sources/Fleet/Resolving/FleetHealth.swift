import Beacon
import Broker
import FleetFormat
import Health
import Rooms

/// The health of all beacons, from what the scanners of a fleet report each minute.
///
/// Minutes are judged at fixed seconds of the fleet, so that all resolvers judge the same messages together.
struct FleetHealth: Sendable {
    /// Seconds after the end of a minute at which it is judged. By then, every scanner has reported it.
    static let delay: Int64 = 45
    /// The maximum number of minutes that wait to be judged.
    private static let mostWaiting: Int64 = 5
    /// Minutes after which a new resolver knows as much as the others, which remember no more.
    static let apprenticeship = 30

    private var judge = HealthJudge()
    private var waiting: [Int64: [String: ScannerReadings]] = [:]
    private var last: Int64?
    /// Beacons whose health the broker retains.
    private var retained: Set<BeaconID> = []
    /// Minutes that were judged in this connection.
    private(set) var judged = 0

    var beacons: [BeaconHealth] { judge.health }

    mutating func connect() {
        judged = 0
        waiting = [:]
        retained = []
    }

    /// Takes a scanner's report of a minute. Minutes that were already judged, or are far ahead, are ignored.
    mutating func take(_ readings: ScannerReadings) {
        guard last.map({ (1...Self.mostWaiting).contains(readings.minute - $0) }) ?? true else { return }
        guard waiting[readings.minute] != nil || waiting.count < Int(Self.mostWaiting),
            waiting[readings.minute, default: [:]].count < RoomMap.mostScanners
        else { return }
        waiting[readings.minute, default: [:]][readings.scanner] = readings
    }

    /// Takes what the broker retains from another resolver, or from this one before it was restarted.
    ///
    /// - Parameter isOwn: whether this resolver publishes, so that its own message comes back.
    mutating func adopt(_ known: BeaconHealth, isOwn: Bool) {
        guard retained.contains(known.beacon) || retained.count < HealthJudge.mostBeacons else { return }
        retained.insert(known.beacon)
        if !isOwn { judge.adopt(known) }
    }

    /// Sets the health of all beacons that this part of a fleet works on.
    mutating func publish(to states: inout RetainedStates, _ topics: FleetTopics) {
        for health in judge.health where topics.isOwn(health.beacon) {
            retained.insert(health.beacon)
            states.set(topics.health(health.beacon), BeaconHealthMessage(health).json())
        }
        for beacon in retained where topics.isOwn(beacon) && judge.health(of: beacon) == nil {
            states.clear(topics.health(beacon))
            retained.remove(beacon)
        }
    }

    /// A second of the fleet has ended.
    ///
    /// - Returns: whether a minute was judged.
    mutating func resolve(_ second: Int64) -> Bool {
        let due = (second - Self.delay).quotientAndRemainder(dividingBy: 60).quotient - 1
        // The fleet's time was set back: minutes are counted from here on.
        if let last, due < last - Self.mostWaiting { (self.last, waiting) = (nil, [:]) }
        guard due > last ?? .min else { return false }
        let wasFirst = last == nil
        last = due
        // Also drops minutes far ahead, which could not be recognised before the first minute.
        defer { waiting = waiting.filter { (1...Self.mostWaiting).contains($0.key - due) } }
        guard !wasFirst, let readings = waiting[due] else { return false }
        _ = judge.judge(due, Array(readings.values))
        judged += 1
        return true
    }
}
