package import Beacon
package import HCI
package import Listening
import Platform
import Radio

/// Who gets the sightings of a run.
package protocol SightingConsumer: ~Copyable, SendableMetatype {
    /// The sources are known: what their indexes stand for, and what they call their beacons.
    mutating func begin(_ sources: RunSources) throws
    /// Live sources only, before what was heard is taken: the wall clock and one that nobody sets, read together.
    mutating func readClocks(wall: Timestamp, elapsed: Duration)
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

extension SightingConsumer where Self: ~Copyable {
    /// For those who do not judge silence.
    package mutating func readClocks(wall: Timestamp, elapsed: Duration) {}
}

package struct RunSources: Sendable {
    /// In the order in which they were named.
    package var specs: [String]
    /// What sightings call their scanners; the first are the sources.
    package var receivers: Receivers
    package var names: [BeaconID: String]
    /// False where a source has no times.
    package var haveTimes: Bool
    /// A source is a table that may name its scanners.
    package var haveScanners = false
    /// Whether silence means anything; nil for captures, whose silence was silence.
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

    /// Throws a failure where a source has no times, for what is worked out over time.
    package func requireTimes() throws(CommandFailure) {
        guard !haveTimes else { return }
        throw CommandFailure(
            "\(specs.joined(separator: ", ")): this capture has no times (hcidump text), so nothing can be ranked over "
                + "time; beaconctl sightings reads it")
    }
}

package struct RunResult: Sendable {
    package var counts: DecodingCounts
    /// Sightings, and packets of the kernel, that this program was too slow for.
    package var dropped: Int
    /// Why a capture could be read only so far.
    package var problem: (any Error)?

    /// One line on standard error.
    package func writeCounts() {
        Program.tell(
            "packets \(counts.packets), reports \(counts.reports), iBeacons \(counts.iBeacons), "
                + "malformed \(counts.malformed), dropped \(dropped)")
    }
}

/// Listens to sources for a command until they end, enough was heard, time is up, or a signal comes.
package struct SourceRun: Sendable {
    private let specs: [SourceSpec]
    private let options: ListeningOptions
    private let isPaced: Bool
    private let duration: Double?
    private let isFinite: Bool
    private let tellsProgress: Bool

    /// - Parameters:
    ///   - duration: seconds; of a capture, of its own time.
    ///   - isFinite: a signal cuts the job short (130, 143) rather than being its natural end (0). Reading a capture
    ///     always is finite.
    ///   - tellsProgress: the command itself shows nothing before the end, so a terminal is told how far it is.
    package init(
        _ options: SourceOptions, specs: [SourceSpec], duration: Double?, isFinite: Bool, tellsProgress: Bool = false
    ) throws {
        self.tellsProgress = tellsProgress
        self.specs = specs
        self.options = try options.listening()
        isPaced = options.realtime
        self.duration = duration
        self.isFinite = isFinite || duration != nil || specs.allSatisfy(\.isFile)
    }

    /// - Parameter makeConsumer: called where the sightings will be taken, possibly on another thread.
    package func run<Consumer: SightingConsumer & ~Copyable>(
        _ makeConsumer: @escaping @Sendable () throws -> Consumer
    ) async throws -> RunResult {
        let result: RunResult
        if specs.allSatisfy(\.isFile) {
            result = try await Interruption().runOnOwnThread { interruption in
                var consumer = try makeConsumer()
                return try CaptureRun(
                    specs, options.recorder, duration: duration, isPaced: isPaced, tellsProgress: tellsProgress
                ).run(&consumer, interruption)
            }
        } else {
            var consumer = try makeConsumer()
            result = try await listen(&consumer)
        }
        try options.recorder?.finish()
        return result
    }

    // MARK: - Live sources

    private func listen(_ consumer: inout (some SightingConsumer & ~Copyable)) async throws -> RunResult {
        let sources = try specs.enumerated().map { try LiveSource($1, index: UInt16($0), options: options) }
        let combined = CombinedHearing()
        try consumer.begin(
            RunSources(
                specs: sources.map(\.spec.description),
                names: sources.reduce(into: [:]) { $0.merge($1.names) { first, _ in first } }, hearing: combined))
        let feed = SightingFeed()
        let interruption = Interruption()
        let listening = Task { try await Self.listen(to: sources, into: feed, combined) }
        let limit = duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                listening.cancel()
            }
        }
        defer { limit?.cancel() }

        let wait = tellsProgress ? LongWait.start { seconds, _ in "listening, \(seconds) s; Ctrl-C ends it" } : nil
        defer { wait?.end() }
        await interruption.watch(onSignal: { listening.cancel() }, { await Self.drain(feed, into: &consumer) })
        listening.cancel()
        let outcome = await listening.result
        wait?.end()
        try consumer.finish(isOver: false)
        try outcome.get()
        if isFinite, let signal = interruption.received { throw CommandFailure.interrupted(by: signal) }
        let tallies = sources.map(\.tally)
        return RunResult(
            counts: tallies.reduce(into: DecodingCounts()) { $0 += $1.counts },
            dropped: tallies.reduce(feed.dropped) { $0 + $1.overruns }, problem: nil)
    }

    /// All sources at once, until all are over or one fails.
    private static func listen(
        to sources: [LiveSource], into feed: SightingFeed, _ combined: CombinedHearing
    ) async throws {
        defer { feed.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask {
                    try await source.listen(
                        into: feed, hearingChanged: { combined.note($0, of: UInt16(index)) },
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
            consumer.readClocks(wall: WallClock.now, elapsed: SteadyClock.elapsed)
            for sighting in batch where !consumer.take(sighting) { return }
            guard consumer.reached(WallClock.now) else { return }
            consumer.flush()
        }
    }
}
