public import Beacon
import Captures
import Glibc
public import HCI
public import Listening
import Radio

/// Who gets the sightings of a run.
public protocol SightingConsumer: ~Copyable, SendableMetatype {
    /// The sources are known: what their indexes stand for, and what they call their beacons.
    mutating func begin(_ sources: RunSources) throws
    /// Returns false when enough was heard.
    mutating func take(_ sighting: borrowing Sighting) -> Bool
    /// Everything up to `now` has been taken: told by live sources again and again, by captures when their time is
    /// up. Returns false when enough was heard.
    mutating func reached(_ now: Timestamp) -> Bool
    /// What was taken since the last flush should be seen now.
    mutating func flush()
    /// No more will be taken. `isOver`: the sources came to their end, rather than being cut.
    mutating func finish(isOver: Bool) throws
    /// Live sources only: when `reached` is wanted next; nil for whenever something was heard.
    var wakeAfter: Duration? { get }
}

public struct RunSources: Sendable {
    /// By scanner index.
    public var specs: [String]
    public var names: [BeaconID: String]
    /// False where a source has no times.
    public var haveTimes: Bool
    /// Whether silence means anything; nil for captures, whose silence was silence.
    public var hearing: HearingBoard?

    public init(
        specs: [String] = [], names: [BeaconID: String] = [:], haveTimes: Bool = true, hearing: HearingBoard? = nil
    ) {
        self.hearing = hearing
        self.specs = specs
        self.names = names
        self.haveTimes = haveTimes
    }

    /// Throws a failure where a source has no times, for what is worked out over time.
    public func requireTimes() throws(ProgramExit) {
        guard !haveTimes else { return }
        throw ProgramExit(
            1,
            "\(specs.joined(separator: ", ")): this capture has no times (hcidump text), so nothing can be ranked over "
                + "time; beaconctl sightings reads it")
    }
}

public struct RunResult: Sendable {
    public var counts: DecodingCounts
    /// Sightings, and packets of the kernel, that this program was too slow for.
    public var dropped: Int
    /// Why a capture could be read only so far.
    public var problem: (any Error)?

    /// One line on standard error.
    public func writeCounts() {
        Program.write(
            "packets \(counts.packets), reports \(counts.reports), iBeacons \(counts.iBeacons), "
                + "malformed \(counts.malformed), dropped \(dropped)\n")
    }
}

/// Listens to sources for a command until they end, enough was heard, time is up, or a signal comes.
public struct SourceRun: Sendable {
    private let specs: [SourceSpec]
    private let options: ListeningOptions
    private let isPaced: Bool
    private let duration: Double?
    private let isFinite: Bool

    /// - Parameters:
    ///   - duration: seconds; of a capture, of its own time.
    ///   - isFinite: a signal cuts the job short (130, 143) rather than being its natural end (0). Reading a capture
    ///     always is finite.
    public init(_ options: SourceOptions, specs: [SourceSpec], duration: Double?, isFinite: Bool) throws {
        self.specs = specs
        self.options = try options.listening()
        isPaced = options.realtime
        self.duration = duration
        self.isFinite = isFinite || duration != nil || specs.allSatisfy(\.isFile)
    }

    /// - Parameter makeConsumer: called where the sightings will be taken, possibly on another thread.
    public func run<Consumer: SightingConsumer & ~Copyable>(
        _ makeConsumer: @escaping @Sendable () throws -> Consumer
    ) async throws -> RunResult {
        let result: RunResult
        if specs.allSatisfy(\.isFile) {
            result = try await Interruption().runOnOwnThread { interruption in
                var consumer = try makeConsumer()
                return try read(&consumer, interruption)
            }
        } else {
            var consumer = try makeConsumer()
            result = try await listen(&consumer)
        }
        try options.recorder?.finish()
        return result
    }

    // MARK: - Captures

    private func read(
        _ consumer: inout (some SightingConsumer & ~Copyable), _ interruption: Interruption
    ) throws -> RunResult {
        var counts = DecodingCounts()
        var problem: (any Error)?
        var isOver = true
        for (index, spec) in specs.enumerated() {
            guard case .file(let path) = spec.kind else { continue }
            do {
                var source = try CaptureSource(spec, path: path, index: UInt16(index), recorder: options.recorder)
                if index == 0 {
                    try consumer.begin(
                        RunSources(specs: specs.map(\.description), names: [:], haveTimes: source.hasTimes))
                }
                defer {
                    counts += source.counts
                    Self.tell(source.damage, of: source.damaged)
                }
                isOver = try read(&source, &consumer, interruption)
            } catch let error as CaptureError {
                problem = error
                break
            }
        }
        try consumer.finish(isOver: isOver)
        return RunResult(counts: counts, dropped: 0, problem: problem)
    }

    /// Returns whether the capture was read to its end.
    private func read(
        _ source: inout CaptureSource, _ consumer: inout (some SightingConsumer & ~Copyable), _ interruption: Interruption
    ) throws(CaptureError) -> Bool {
        var goesOn = true
        var end: Timestamp?
        var pace = isPaced ? Pace() : nil
        let duration = duration
        while goesOn, !interruption.isRequested {
            let hasMore = try source.next { sighting in
                guard goesOn else { return }
                if let time = sighting.time {
                    if let duration {
                        if end == nil { end = time.advanced(bySeconds: duration) }
                        if let end, time > end {
                            goesOn = false
                            return
                        }
                    }
                    if pace != nil {
                        consumer.flush()
                        pace?.wait(for: time, interruption)
                    }
                }
                goesOn = consumer.take(sighting)
            }
            guard hasMore else { return goesOn }
            if source.isRunningDry { consumer.flush() }
        }
        // Time was up: everything up to then has been taken.
        if let end { _ = consumer.reached(end) }
        return false
    }

    private static func tell(_ damage: [String], of count: Int) {
        for line in damage { Program.write("skipped \(line)\n") }
        if count > damage.count { Program.write("skipped \(count - damage.count) more\n") }
    }

    // MARK: - Live sources

    private func listen(_ consumer: inout (some SightingConsumer & ~Copyable)) async throws -> RunResult {
        let sources = try specs.enumerated().map { try LiveSource($1, index: UInt16($0), options: options) }
        let board = HearingBoard()
        try consumer.begin(
            RunSources(
                specs: sources.map(\.spec.description),
                names: sources.reduce(into: [:]) { $0.merge($1.names) { first, _ in first } }, hearing: board))
        let feed = SightingFeed()
        let interruption = Interruption()
        let listening = Task { try await Self.listen(to: sources, into: feed, board) }
        let limit = duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                listening.cancel()
            }
        }
        defer { limit?.cancel() }

        await interruption.watch(onSignal: { listening.cancel() }, { await Self.drain(feed, into: &consumer) })
        listening.cancel()
        let outcome = await listening.result
        try consumer.finish(isOver: false)
        try outcome.get()
        if isFinite, let code = interruption.exitCode { throw ProgramExit(code) }
        let tallies = sources.map(\.tally)
        return RunResult(
            counts: tallies.reduce(into: DecodingCounts()) { $0 += $1.counts },
            dropped: tallies.reduce(feed.dropped) { $0 + $1.overruns }, problem: nil)
    }

    /// All sources at once, until all are over or one fails.
    private static func listen(
        to sources: [LiveSource], into feed: SightingFeed, _ board: HearingBoard
    ) async throws {
        defer { feed.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask {
                    try await source.listen(
                        into: feed, hearingChanged: { board.note($0, of: UInt16(index)) },
                        started: { how in
                            // What this way cannot know is part of the result.
                            if case .bluetoothd = source.spec.kind { Program.write("\(source.spec): \(how)\n") }
                        })
                }
            }
            try await group.waitForAll()
        }
    }

    private static func drain(_ feed: SightingFeed, into consumer: inout (some SightingConsumer & ~Copyable)) async {
        while true {
            let batch: [Sighting]
            if let pause = consumer.wakeAfter {
                try? await Task.sleep(for: pause)
                guard let waiting = feed.takeWaiting() else { return }
                batch = waiting
            } else {
                guard let waiting = await feed.nextBatch() else { return }
                batch = waiting
            }
            for sighting in batch where !consumer.take(sighting) { return }
            guard consumer.reached(WallClock.now) else { return }
            consumer.flush()
        }
    }
}

/// Replays times at the pace at which they passed.
private struct Pace {
    private var offset: Double?

    mutating func wait(for time: Timestamp, _ interruption: Interruption) {
        let now = WallClock.now.seconds
        guard let offset else {
            offset = now - time.seconds
            return
        }
        while !interruption.isRequested {
            let missing = time.seconds + offset - WallClock.now.seconds
            guard missing > 0 else { return }
            // In short pieces, so that a signal is noticed.
            usleep(UInt32(min(missing, 0.1) * 1_000_000))
        }
    }
}
