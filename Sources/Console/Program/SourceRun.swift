package import Beacon
package import HCI
package import Listening
import Platform
import Radio

/// Receives the sightings of a run.
package protocol SightingConsumer: ~Copyable, SendableMetatype {
    /// Called first, with what is known about the sources.
    mutating func begin(_ sources: RunSources) throws
    /// Called for live sources before sightings are taken: the wall clock and a monotonic clock, read together.
    mutating func readClocks(wall: Timestamp, elapsed: Duration)
    /// Returns false when it needs no more.
    mutating func take(_ sighting: borrowing Sighting) -> Bool
    /// Everything up to `now` was taken. Live sources call this repeatedly, captures at the time limit. Returns false
    /// when it needs no more.
    mutating func reached(_ now: Timestamp) -> Bool
    /// Output must be written now.
    mutating func flush()
    /// No more sightings will come. `isOver`: the sources came to their end and were not interrupted.
    mutating func finish(isOver: Bool) throws
    /// Live sources only: the time until `reached` should be called next; nil for whenever sightings come.
    var wakeAfter: Duration? { get }
}

extension SightingConsumer where Self: ~Copyable {
    /// For consumers that draw no conclusions from silence.
    package mutating func readClocks(wall: Timestamp, elapsed: Duration) {}
}

package struct RunSources: Sendable {
    /// In the order in which the user named them.
    package var specs: [String]
    /// The names of the sources, by the IDs in sightings. The sources of the run come first.
    package var receivers: Receivers
    package var names: [BeaconID: String]
    /// False if a source has no times.
    package var haveTimes: Bool
    /// Whether a source is a table that may name its scanners.
    package var haveScanners = false
    /// Whether the scanners are blind; nil for captures, which never count as blind.
    package var hearing: CombinedHearing?

    package init(
        specs: [String] = [], receivers: Receivers? = nil, names: [BeaconID: String] = [:], haveTimes: Bool = true,
        hearing: CombinedHearing? = nil
    ) {
        self.hearing = hearing
        self.specs = specs
        self.receivers = receivers ?? Receivers(sources: specs)
        self.names = names
        self.haveTimes = haveTimes
    }

    /// - Throws: if a source has no times, for commands that need them.
    package func requireTimes() throws(CommandFailure) {
        guard !haveTimes else { return }
        throw missingTimes(haveScanners ? "there is no column time" : "this capture has no times (hcidump text)")
    }

    /// For commands that need times, if there is a place for them, but none of what was received has one.
    package var lackOfTimes: CommandFailure { missingTimes("nothing that was heard has a time") }

    private func missingTimes(_ why: String) -> CommandFailure {
        CommandFailure(
            "\(specs.joined(separator: ", ")): \(why), so nothing can be ranked over time; beaconctl sightings reads "
                + "it")
    }
}

package struct RunResult: Sendable {
    package var counts: DecodingCounts
    /// Sightings, and packets in the kernel, that were dropped because this program was too slow.
    package var dropped: Int
    /// Why a capture could not be read to its end.
    package var problem: (any Error)?

    /// Writes one line with the counts to standard error.
    fileprivate func writeCounts() {
        Program.tell(
            "packets \(counts.packets), reports \(counts.reports), iBeacons \(counts.iBeacons), "
                + "malformed \(counts.malformed), dropped \(dropped)")
    }
}

/// Listens to sources for a command until they end, the consumer or a time limit ends it, or a signal comes.
package struct SourceRun: Sendable {
    private let specs: [SourceSpec]
    private let options: ListeningOptions
    private let isPaced: Bool
    private let duration: Double?
    private let isFinite: Bool
    private let tellsProgress: Bool
    private let tellsCounts: Bool
    private let tellsDamage: Bool

    /// - Parameters:
    ///   - duration: seconds; of a capture, seconds of its own time.
    ///   - isFinite: a signal interrupts the job (exit code 130 or 143) instead of ending it normally (0). Reading a
    ///     capture is always finite.
    ///   - tellsProgress: the command shows nothing before the end, so the progress is shown on a terminal.
    ///   - tellsCounts: writes one line with the counts to standard error at the end, also if it is interrupted.
    ///   - tellsDamage: writes to standard error what of a capture was skipped. Who reads captures twice tells it once.
    package init(
        _ options: SourceOptions, specs: [SourceSpec], duration: Double?, isFinite: Bool, tellsProgress: Bool = false,
        tellsCounts: Bool = false, tellsDamage: Bool = true
    ) throws {
        self.tellsDamage = tellsDamage
        self.tellsProgress = tellsProgress
        self.tellsCounts = tellsCounts
        self.specs = specs
        self.options = try options.listening(to: specs)
        isPaced = options.realtime
        self.duration = duration
        self.isFinite = isFinite || duration != nil || specs.allSatisfy(\.isFile)
    }

    /// - Parameter makeConsumer: called on the thread that takes the sightings, which may be another one.
    package func run<Consumer: SightingConsumer & ~Copyable>(
        _ makeConsumer: @escaping @Sendable () throws -> Consumer
    ) async throws -> RunResult {
        // `finish` reports a recording that has ended early. A run that fails before must report it too.
        var isFinished = false
        defer { if !isFinished, let failure = options.recorder?.failure { Program.write("\(failure)\n") } }
        let result: RunResult
        if specs.allSatisfy(\.isFile) {
            result = try await Interruption().runOnOwnThread { interruption in
                var consumer = try makeConsumer()
                let result = try CaptureRun(
                    specs, options.recorder, duration: duration, isPaced: isPaced, tellsProgress: tellsProgress,
                    tellsDamage: tellsDamage
                ).run(&consumer, interruption)
                if tellsCounts { result.writeCounts() }
                return result
            }
        } else {
            var consumer = try makeConsumer()
            result = try await listen(&consumer)
        }
        isFinished = true
        try options.recorder?.finish()
        return result
    }

    // MARK: - Live sources

    private func listen(_ consumer: inout (some SightingConsumer & ~Copyable)) async throws -> RunResult {
        let sources = try makeSources()
        let combined = CombinedHearing()
        try consumer.begin(
            RunSources(
                specs: sources.map(\.spec.description),
                names: sources.reduce(into: [:]) { $0.merge($1.names) { first, _ in first } }, hearing: combined))
        let feed = SightingFeed()
        let interruption = Interruption()
        // Listening must not start before signals are watched: a signal then could not stop the scan.
        let (start, starter) = AsyncStream<Void>.makeStream()
        let listening = Task {
            for await _ in start {}
            try await Self.listen(to: sources, into: feed, combined)
        }
        let deadline = Deadline(after: duration.map { .seconds($0) }) { listening.cancel() }
        defer { deadline.cancel() }

        let wait = tellsProgress ? LongWait.start { seconds, _ in "listening, \(seconds) s; Ctrl-C ends it" } : nil
        defer { wait?.end() }
        var hasHeard = false
        await interruption.watch(
            onSignal: { listening.cancel() },
            {
                starter.finish()
                hasHeard = await Self.drain(feed, into: &consumer)
            })
        listening.cancel()
        let outcome = await listening.result
        wait?.end()
        // A source that cannot be opened has no result: the file of --output keeps its content.
        if !hasHeard { try outcome.get() }
        try consumer.finish(isOver: false)
        try outcome.get()
        let tallies = sources.map(\.tally)
        let result = RunResult(
            counts: tallies.reduce(into: DecodingCounts()) { $0 += $1.counts },
            dropped: tallies.reduce(feed.dropped) { $0 + $1.overruns }, problem: nil)
        if tellsCounts { result.writeCounts() }
        if isFinite { try interruption.check() }
        return result
    }

    private func makeSources() throws -> [any SightingSource] {
        try SourceSpec.recordedAdapters(of: specs).enumerated().map { place, number in
            var options = options
            options.recordedAs = number
            return try specs[place].makeSource(SourceID(place: place), options: options)
        }
    }

    /// Listens to all sources together until all have ended or one fails.
    private static func listen(
        to sources: [any SightingSource], into feed: SightingFeed, _ combined: CombinedHearing
    ) async throws {
        defer { feed.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask {
                    try await source.listen(
                        into: feed,
                        ListeningHandlers(
                            hearingChanged: { combined.note($0, of: SourceID(place: index)) },
                            started: { how in
                                // What bluetoothd cannot report is part of the result.
                                if case .bluetoothd = source.spec.kind { Program.write("\(source.spec): \(how)\n") }
                            }))
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Returns: whether anything was received.
    private static func drain(
        _ feed: SightingFeed, into consumer: inout (some SightingConsumer & ~Copyable)
    ) async -> Bool {
        var hasHeard = false
        while true {
            let batch: [Sighting]
            if let pause = consumer.wakeAfter {
                try? await Task.sleep(for: pause)
                guard let waiting = feed.takeWaiting() else { return hasHeard }
                batch = waiting
            } else {
                guard let waiting = await feed.nextBatch() else { return hasHeard }
                batch = waiting
            }
            hasHeard = hasHeard || !batch.isEmpty
            consumer.readClocks(wall: WallClock.now, elapsed: SteadyClock.elapsed)
            for sighting in batch where !consumer.take(sighting) { return hasHeard }
            guard consumer.reached(WallClock.now) else { return hasHeard }
            consumer.flush()
        }
    }
}
