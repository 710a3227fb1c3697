import Beacon
import Console
import FleetFormat
import Listening
import Rooms
import Text

/// Cuts recordings into what each scanner heard in each second.
struct RecordedSeconds {
    private var sources = RunSources()
    private var labels: [SourceID: String] = [:]
    /// How many of these have got the name of a scanner.
    private var named = 0
    private var levels: [String: LevelAccumulator] = [:]
    private var second: Int64?

    /// Sightings that came so late that they count for a second in which they were not heard.
    private(set) var misplaced = 0

    /// Seconds by which a sighting may be late: several scanners' recordings are never quite in step.
    private static let lateness: Int64 = 5

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
        if let second, second - now > Self.lateness { misplaced += 1 }
        levels[scanner(sighting.source), default: LevelAccumulator()].add(sighting)
        return over
    }

    /// The last second.
    mutating func finish() -> [(second: Int64, reports: [ScannerSecond])] {
        second.map { finish(until: $0 + 1) } ?? []
    }

    /// The names of the recording's scanners, also of those that heard nothing.
    var scanners: [String] { sources.receivers.scannerNames(heard: Set(labels.keys)) }

    /// What people should know of the recording in the end; nil for nothing.
    var notice: String? {
        guard misplaced > 0 else { return nil }
        return "\(counted(misplaced, "sighting")) \(misplaced == 1 ? "is" : "are") not in order of time and "
            + "\(misplaced == 1 ? "counts" : "count") for the wrong second: sort the table by its column time, or give "
            + "each scanner's recording with a --source of its own"
    }

    private mutating func finish(until end: Int64) -> [(second: Int64, reports: [ScannerSecond])] {
        guard let begin = second else { return [] }
        return (max(begin, end - Self.longestGap)..<end).map { second in
            (second, levels.keys.sorted().map { scanner in
                    (levels[scanner]?.finish(second)).map { $0.heard(by: scanner) }
                        ?? ScannerSecond(scanner: scanner, second: second)
            })
        }
    }

    private mutating func scanner(_ source: SourceID) -> String {
        if let label = labels[source] { return label }
        renameScanners()
        let label = sources.receivers.names[source.place]
        labels[source] = label
        return label
    }

    /// A capture gets the name of its first adapter when there is a second one.
    private mutating func renameScanners() {
        for (source, receiver) in sources.receivers.named(from: named) {
            named += 1
            guard let label = labels.updateValue(receiver.name, forKey: source) else { continue }
            levels[receiver.name] = levels.removeValue(forKey: label)
        }
    }
}
