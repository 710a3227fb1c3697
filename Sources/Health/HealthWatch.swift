package import Beacon

/// The health of beacons by all scanners of one machine: takes sightings and minutes, and returns changes. A plain
/// value.
package struct HealthWatch: Sendable {
    /// The maximum number of scanners, on one machine or in a recording.
    package static let mostScanners = 64

    private var collectors: [SourceID: MinuteCollector] = [:]
    package private(set) var scanners: [String: ScannerHealth] = [:]
    package private(set) var judge = HealthJudge()
    /// The scanners' readings at the end of the last minute.
    private var readings: [ScannerReadings] = []
    /// The minute that is being collected, and whether it is collected from its start.
    private var minute: Int64?
    private var isWhole = false

    /// Minutes until something counts as usual.
    private let learning: Double
    private let expected: KnownBeacons

    /// - Parameters:
    ///   - learning: minutes until something counts as usual.
    ///   - expected: beacons that should be present.
    package init(learning: Double, expected: KnownBeacons = KnownBeacons()) {
        self.learning = learning
        self.expected = expected
        judge.expected = expected
    }

    /// Continues with a scanner's stored state.
    package mutating func restore(_ scanner: ScannerHealth) {
        guard scanners.count < Self.mostScanners else { return }
        var scanner = scanner
        scanner.learning = max(1, learning)
        scanner.expected = expected
        scanners[scanner.scanner] = scanner
    }

    package mutating func restore(_ health: BeaconHealth) { judge.adopt(health) }

    /// Call `advance` to its time first.
    package mutating func add(_ sighting: borrowing Sighting) {
        let source = sighting.source
        guard collectors[source] != nil || collectors.count < Self.mostScanners else { return }
        collectors[source, default: MinuteCollector()].add(sighting)
    }

    /// Advances the time.
    ///
    /// - Parameters:
    ///   - now: the time by the clock of the sightings.
    ///   - sources: the current sources, with their names and whether they are blind.
    /// - Returns: the problems that have begun or ended, if a minute has ended.
    package mutating func advance(
        to now: Timestamp, sources: [(id: SourceID, name: String, isBlind: Bool)]
    ) -> [HealthChange] {
        let current = Int64((now.seconds / 60).rounded(.down))
        guard let last = minute else {
            (minute, isWhole) = (current, false)
            return []
        }
        guard current != last else { return [] }
        defer { (minute, isWhole) = (current, current == last + 1) }
        // A partial minute, or one in which the clock was set, has no meaning.
        guard isWhole, current > last else {
            collectors = [:]
            return []
        }
        return finish(last, sources)
    }

    private mutating func finish(
        _ minute: Int64, _ sources: [(id: SourceID, name: String, isBlind: Bool)]
    ) -> [HealthChange] {
        readings = []
        for (id, name, isBlind) in sources.prefix(Self.mostScanners) {
            if scanners[name] == nil, scanners.count >= Self.mostScanners { continue }
            var scanner = scanners.removeValue(forKey: name) ?? ScannerHealth(scanner: name, learning: learning)
            scanner.expected = expected
            let new = collectors[id, default: MinuteCollector()].finish(minute, isBlind: isBlind)
            readings.append(scanner.take(new))
            scanners[name] = scanner
        }
        let ids = Set(sources.map(\.id))
        collectors = collectors.filter { ids.contains($0.key) }
        return judge.judge(minute, readings)
    }

    /// Takes the sightings since the last call, and the current time.
    ///
    /// - Parameter now: not earlier than the sightings.
    /// - Returns: the problems that have begun or ended, if a minute has ended.
    package mutating func take(
        _ sightings: [Sighting], at now: Timestamp, sources: [(id: SourceID, name: String, isBlind: Bool)]
    ) -> [HealthChange] {
        take(batches: [sightings], at: now, sources: sources)
    }

    /// The same for the sightings of several ticks, which are not copied into one list.
    package mutating func take(
        batches: [[Sighting]], at now: Timestamp, sources: [(id: SourceID, name: String, isBlind: Bool)]
    ) -> [HealthChange] {
        let minute = Timestamp(seconds: (now.seconds / 60).rounded(.down) * 60)
        for batch in batches { for sighting in batch where sighting.time ?? now < minute { add(sighting) } }
        let changes = advance(to: now, sources: sources)
        for batch in batches { for sighting in batch where sighting.time ?? now >= minute { add(sighting) } }
        return changes
    }

    /// The scanners' readings at the end of a minute. They are returned once; then it is empty until the next minute
    /// has ended.
    package mutating func takeReadings() -> [ScannerReadings] {
        defer { readings = [] }
        return readings
    }

    package var health: [BeaconHealth] { judge.health }
}
