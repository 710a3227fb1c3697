import Beacon
import Console
import Fleet
import FleetFormat
import Listening
import Rooms
import Text

/// Cuts recordings into seconds, and writes where beacons are whenever that changes.
struct Locating: SightingConsumer {
    private let format: OutputFormat
    private var resolver: RoomResolver
    private var sources = RunSources()
    private var labels: [SourceID: String] = [:]
    private var second: Int64?
    private var levels: [String: LevelAccumulator] = [:]

    /// Seconds without any sighting that are still worked through one by one.
    private static let longestGap: Int64 = 3600

    init(_ map: RoomMap, format: OutputFormat) {
        resolver = RoomResolver(map)
        self.format = format
        for place in map.places { levels[place.scanner] = LevelAccumulator() }
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) throws {
        try sources.requireTimes()
        self.sources = sources
        if format == .csv { Program.writeResult(RoomAnswerText.csvHeading) }
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        guard let time = sighting.time else { return true }
        let now = Int64(time.seconds.rounded(.down))
        if let second, now > second { resolve(until: now) }
        if second == nil || now > second ?? now { second = now }
        // A reading that comes late counts for the second in which it came.
        levels[scanner(sighting.source)]?.add(sighting)
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }

    mutating func flush() {}

    mutating func finish(isOver: Bool) {
        if let second { resolve(until: second + 1) }
    }

    private mutating func scanner(_ source: SourceID) -> String {
        if let label = labels[source] { return label }
        let label = sources.receivers.names[source.place]
        labels[source] = label
        return label
    }

    private mutating func resolve(until end: Int64) {
        guard let begin = second else { return }
        for second in max(begin, end - Self.longestGap)..<end {
            let reports = levels.keys.sorted().map { scanner in
                (levels[scanner]?.finish(second)).map { $0.heard(by: scanner) } ?? ScannerSecond(scanner: scanner, second: second)
            }
            for answer in resolver.resolve(second, reports) { write(answer, second: second + 1) }
        }
    }

    private func write(_ answer: RoomAnswer, second: Int64) {
        switch format {
        case .csv: Program.writeResult(RoomAnswerText.csv(answer, second: second))
        case .json: Program.writeResult(RoomAnswerText.json(answer, second: second, name: sources.names[answer.beacon]))
        case .table:
            let label = sources.names[answer.beacon] ?? "\(answer.beacon.major).\(answer.beacon.minor)"
            Program.writeResult(RoomAnswerText.line(answer, second: second, label: label))
        }
    }
}

/// Only the names of the scanners.
struct ScannerNames: SightingConsumer {
    private var sources = RunSources()
    private let found: @Sendable ([String]) -> Void

    init(found: @escaping @Sendable ([String]) -> Void) {
        self.found = found
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) { self.sources = sources }
    mutating func take(_ sighting: borrowing Sighting) -> Bool { true }
    mutating func reached(_ now: Timestamp) -> Bool { true }
    mutating func flush() {}

    mutating func finish(isOver: Bool) {
        found(sources.receivers.names)
    }
}
