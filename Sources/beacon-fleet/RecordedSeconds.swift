import Beacon
import Console
import FleetFormat
import Listening
import Rooms

/// Cuts recordings into what each scanner heard in each second.
struct RecordedSeconds {
    private var sources = RunSources()
    private var labels: [SourceID: String] = [:]
    private var levels: [String: LevelAccumulator] = [:]
    private var second: Int64?

    /// Seconds without any sighting that are still worked through one by one.
    private static let longestGap: Int64 = 3600

    /// - Parameter scanners: those that are known to be there. Others are there from when they first hear something.
    init(_ scanners: [String] = [], from sources: RunSources) throws {
        try sources.requireTimes()
        self.sources = sources
        for scanner in scanners { levels[scanner] = LevelAccumulator() }
    }

    init() {}

    /// - Returns: the seconds that are over by now, each with a report of every scanner.
    mutating func take(_ sighting: borrowing Sighting) -> [(second: Int64, reports: [ScannerSecond])] {
        guard let time = sighting.time else { return [] }
        let now = Int64(time.seconds.rounded(.down))
        var over: [(second: Int64, reports: [ScannerSecond])] = []
        if let second, now > second { over = finish(until: now) }
        if second == nil || now > second ?? now { second = now }
        // A reading that comes late counts for the second in which it came.
        levels[scanner(sighting.source), default: LevelAccumulator()].add(sighting)
        return over
    }

    /// The last second.
    mutating func finish() -> [(second: Int64, reports: [ScannerSecond])] {
        second.map { finish(until: $0 + 1) } ?? []
    }

    private mutating func finish(until end: Int64) -> [(second: Int64, reports: [ScannerSecond])] {
        guard let begin = second else { return [] }
        return (max(begin, end - Self.longestGap)..<end).map { second in
            (second, levels.keys.sorted().map { scanner in
                (levels[scanner]?.finish(second)).map { $0.heard(by: scanner) } ?? ScannerSecond(scanner: scanner, second: second)
            })
        }
    }

    private mutating func scanner(_ source: SourceID) -> String {
        if let label = labels[source] { return label }
        let label = sources.receivers.names[source.place]
        labels[source] = label
        return label
    }
}
