import Beacon
import Console
import Listening

/// Only the names of a recording's scanners.
struct ScannerNames: SightingConsumer {
    private var sources = RunSources()
    private var heard: Set<SourceID> = []
    private let found: @Sendable ([String]) -> Void

    init(found: @escaping @Sendable ([String]) -> Void) {
        self.found = found
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) { self.sources = sources }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        heard.insert(sighting.source)
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }
    mutating func flush() {}

    mutating func finish(isOver: Bool) {
        found(sources.receivers.scannerNames(heard: heard))
    }
}
