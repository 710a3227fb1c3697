import Beacon
import Console
import Radio
import Ranging
import Synchronization
import Text

/// What was received at one distance.
struct CalibrationHeard: Sendable {
    /// The readings of one beacon, in the order in which they came.
    struct Readings: Sendable {
        var claimed: Int8
        var readings: [Int8] = []
    }

    var beacons: [BeaconID: Readings] = [:]
    var names: [BeaconID: String] = [:]
    var source = ""

    /// The most beacons and readings to keep. Forged identities may come in floods, and a calibration needs no more.
    private static let beaconLimit = 1000
    private static let readingLimit = 4096
    /// The strongest beacon is chosen without a name only if it leads by so many dB.
    private static let clearLead = 10

    mutating func add(_ sighting: borrowing Sighting) {
        let id = sighting.beacon.id
        guard let rssi = sighting.rssi, beacons[id] != nil || beacons.count < Self.beaconLimit else { return }
        let claimed = sighting.beacon.measuredPower
        beacons[id, default: Readings(claimed: claimed)].claimed = claimed
        if beacons[id]?.readings.count ?? 0 < Self.readingLimit { beacons[id]?.readings.append(rssi) }
    }

    /// The beacon that the query selects; without a query the one that is clearly the strongest.
    func choose(_ query: BeaconQuery?) throws -> BeaconID {
        if let query { return try query.only(among: beacons.keys, names: names) }
        let ranked = beacons.map { (id: $0.key, median: $0.value.median) }
            .sorted { $0.median != $1.median ? $0.median > $1.median : $0.id < $1.id }
        guard let first = ranked.first else { throw CommandFailure("no beacon was heard by \(source)") }
        guard ranked.count == 1 || first.median - ranked[1].median >= Self.clearLead else {
            let listed = ranked.prefix(5).map { "  \($0.id)  \($0.median) dBm" }.joined(separator: "\n")
            throw CommandFailure("no beacon is clearly the strongest; say which one is meant with --beacon:\n\(listed)")
        }
        return first.id
    }
}

extension CalibrationHeard.Readings {
    var median: Int {
        readings.isEmpty ? -128 : Int(readings.sorted()[readings.count / 2])
    }
}

/// Passes what was received from the receiving thread to the session.
final class CalibrationInbox: Sendable {
    private let state = Mutex(CalibrationHeard())

    var heard: CalibrationHeard {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Collects readings and shows the progress.
struct CalibrationConsumer: SightingConsumer {
    private let inbox: CalibrationInbox
    private let beacon: BeaconID?
    private let query: BeaconQuery?
    private let metres: Double
    private let duration: Double?
    private let isLive: Bool
    private let terminal = Terminal.standardError
    private var heard = CalibrationHeard()
    private var start: Timestamp?

    /// Seconds at a distance: the usual time, and the longest where there are too few readings.
    static let usualDuration = 30.0
    static let longestDuration = 120.0

    init(
        _ inbox: CalibrationInbox, beacon: BeaconID?, query: BeaconQuery?, metres: Double, duration: Double?,
        isLive: Bool
    ) {
        self.inbox = inbox
        self.beacon = beacon
        self.query = query
        self.metres = metres
        self.duration = duration
        self.isLive = isLive
    }

    var wakeAfter: Duration? { .milliseconds(200) }

    mutating func begin(_ sources: RunSources) {
        heard.names = sources.names
        heard.source = sources.specs.first ?? ""
        if isLive, !terminal.isTerminal {
            Program.write("listening at \(metres) m for \(fixed(duration ?? Self.usualDuration, digits: 0)) s\n")
        }
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        heard.add(sighting)
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool {
        guard isLive else { return true }
        let elapsed = now.seconds(since: start ?? now)
        if start == nil { start = now }
        let readings = (beacon ?? (try? heard.choose(query))).flatMap { heard.beacons[$0]?.readings } ?? []
        if terminal.isTerminal {
            Program.draw("\r\u{1B}[K" + shortened(progress(elapsed, readings), terminal.limit ?? 79))
        }
        guard duration == nil, elapsed >= Self.usualDuration else { return true }
        return readings.count < Calibration.minimumReadings
    }

    mutating func flush() {}

    mutating func finish(isOver: Bool) {
        if isLive, terminal.isTerminal { Program.write("\n") }
        inbox.heard = heard
    }

    private func progress(_ elapsed: Double, _ readings: [Int8]) -> String {
        let width = 24
        let total = duration ?? Self.usualDuration
        let full = min(width, Int(elapsed / total * Double(width)))
        let bar = String(repeating: terminal.hasBlocks ? "█" : "#", count: full)
            + String(repeating: terminal.hasBlocks ? "░" : ".", count: width - full)
        let recent = readings.suffix(20).map(Int.init)
        let level = recent.isEmpty ? "nothing heard yet" : "\(recent.reduce(0, +) / recent.count) dBm"
        return "  \(fixed(metres, digits: 1)) m  \(bar)  \(pad(fixed(elapsed, digits: 0), 3)) s  "
            + "\(pad("\(readings.count)", 4)) readings  \(level)  turn slowly"
    }
}
