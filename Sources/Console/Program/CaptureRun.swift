import Beacon
import Captures
import Glibc
import HCI
import Listening
import Platform
import Radio

/// Reads captures to their end for a consumer. They are read together in the order of time, or one after another if one
/// of them has no times. Blocks its thread.
struct CaptureRun {
    private let specs: [SourceSpec]
    private let recorder: PacketRecorder?
    private let duration: Double?
    private let isPaced: Bool
    private let tellsProgress: Bool
    private let tellsDamage: Bool

    /// - Parameters:
    ///   - specs: must all be captures.
    ///   - recorder: also records the HCI packets.
    ///   - duration: seconds of the captures' own time.
    ///   - isPaced: replays at the speed of the recording.
    ///   - tellsProgress: shows the progress on a terminal.
    ///   - tellsDamage: writes to standard error what was skipped.
    init(
        _ specs: [SourceSpec], _ recorder: PacketRecorder?, duration: Double?, isPaced: Bool, tellsProgress: Bool,
        tellsDamage: Bool
    ) {
        self.tellsDamage = tellsDamage
        self.tellsProgress = tellsProgress
        self.specs = specs
        self.recorder = recorder
        self.duration = duration
        self.isPaced = isPaced
    }

    /// - Throws: if a capture cannot be opened or the consumer refuses them. If one becomes unreadable later, the
    ///   result's `problem` says so, and the others are read to their end.
    func run(
        _ consumer: inout (some SightingConsumer & ~Copyable), _ interruption: Interruption
    ) throws -> RunResult {
        let receivers = Receivers(sources: specs.map(\.description))
        var captures: [OpenCapture] = []
        for (index, spec) in specs.enumerated() {
            guard case .file(let path) = spec.kind else { continue }
            captures.append(
                OpenCapture(
                    try CaptureSource(
                        spec, path: path, source: SourceID(place: index), receivers: receivers, recorder: recorder)))
        }
        if recorder != nil, let capture = captures.first(where: { !$0.source.format.mayHavePackets }) {
            throw RadioError(
                .badSource, at: "source \"\(capture.source.spec)\"",
                "\(capture.source.format) has no HCI packets that could be recorded", remedy: "leave --capture out")
        }
        for capture in captures where recorder != nil && !capture.source.hasTimes {
            // A btsnoop record always has a time.
            Program.write("\(capture.source.spec) has no times: its packets are recorded as of 1970-01-01T00:00:00Z\n")
        }
        let haveTimes = captures.allSatisfy { $0.source.hasTimes }
        var sources = RunSources(specs: specs.map(\.description), receivers: receivers, haveTimes: haveTimes)
        sources.haveScanners = captures.contains { $0.source.format.container == .observations }
        try consumer.begin(sources)
        let wait = tellsProgress ? LongWait.start { "\($1) records read, \($0) s" } : nil
        defer { wait?.end() }
        var intake = Intake(
            duration: duration, pace: isPaced ? Pace() : nil, interruption: interruption, wait: wait)
        if captures.count > 1, haveTimes {
            intake.readTogether(captures, &consumer)
        } else {
            for capture in captures where intake.goesOn { intake.read(capture, &consumer) }
        }
        intake.finish(&consumer)
        wait?.end()
        if tellsDamage { for capture in captures { capture.tellDamage() } }
        try consumer.finish(isOver: intake.goesOn)
        var problem: (any Error)? = captures.lazy.compactMap(\.problem).first
        if problem == nil, intake.goesOn, let capture = captures.first(where: \.isUnusable) {
            problem = CommandFailure("\(capture.source.spec): no row of it can be used; see: man beacond-observations")
        }
        return RunResult(
            counts: captures.reduce(into: DecodingCounts()) { $0 += $1.source.counts }, dropped: 0, problem: problem)
    }
}

/// A capture that is being read, and its sightings that were not taken yet. A class, because an array cannot hold a
/// source itself.
private final class OpenCapture {
    private(set) var source: CaptureSource
    private(set) var problem: CaptureError?
    /// In the order of the file. There may be several, because one packet may hold several.
    var waiting: [Sighting] = []
    /// The index of the first that was not taken yet.
    var next = 0
    private(set) var isOver = false

    init(_ source: consuming CaptureSource) {
        self.source = source
    }

    var isRunningDry: Bool { source.isRunningDry }

    /// Reads with `body`, which returns whether it came to the end. It reads many records in one call: a property of a
    /// class costs a check at each access.
    func read(_ body: (inout CaptureSource) throws(CaptureError) -> Bool) {
        do {
            isOver = try body(&source)
        } catch {
            problem = error
            isOver = true
        }
    }

    /// Reads until there is a sighting or the capture ends.
    func fill() {
        guard next == waiting.count else { return }
        waiting.removeAll(keepingCapacity: true)
        next = 0
        guard !isOver else { return }
        read { source throws(CaptureError) in
            while waiting.isEmpty {
                guard try source.next({ waiting.append(copy $0) }) else { return true }
            }
            return false
        }
    }

    /// A table without any row that is a sighting.
    var isUnusable: Bool {
        source.format.container == .observations && source.damaged > 0 && source.counts.iBeacons == 0
    }

    func tellDamage() {
        for line in source.damage { Program.write("skipped \(line)\n") }
        if source.damaged > source.damage.count {
            Program.write("skipped \(source.damaged - source.damage.count) more\n")
        }
    }
}

/// Stands between captures and a consumer: ends the run by time or signal, and keeps the pace.
private struct Intake {
    let duration: Double?
    var pace: Pace?
    let interruption: Interruption
    private let wait: LongWait?
    /// False after the time limit, a signal or the consumer ended the run.
    private(set) var goesOn = true
    private var end: Timestamp?

    init(duration: Double?, pace: Pace?, interruption: Interruption, wait: LongWait?) {
        self.wait = wait
        self.duration = duration
        self.pace = pace
        self.interruption = interruption
    }

    /// Reads one capture to its end.
    mutating func read(_ capture: OpenCapture, _ consumer: inout (some SightingConsumer & ~Copyable)) {
        capture.read { source throws(CaptureError) in
            while goesOn {
                guard try source.next({ take($0, &consumer) }) else { return true }
                if source.isRunningDry { consumer.flush() }
                noteInterruption()
            }
            return false
        }
    }

    /// Reads all, the earliest sighting first. A sighting without a time is taken together with its neighbours.
    mutating func readTogether(_ captures: [OpenCapture], _ consumer: inout (some SightingConsumer & ~Copyable)) {
        var open = captures
        while goesOn {
            for capture in open where capture.next == capture.waiting.count {
                // Reading a pipe may block.
                if capture.isRunningDry { consumer.flush() }
                capture.fill()
            }
            open.removeAll { $0.next == $0.waiting.count }
            guard let first = open.min(by: { Self.time(of: $0) < Self.time(of: $1) }) else { return }
            take(first.waiting[first.next], &consumer)
            first.next += 1
            noteInterruption()
        }
    }

    private static func time(of capture: OpenCapture) -> Timestamp {
        capture.waiting[capture.next].time ?? Timestamp(microseconds: .min)
    }

    private mutating func take(
        _ sighting: borrowing Sighting, _ consumer: inout (some SightingConsumer & ~Copyable)
    ) {
        guard goesOn else { return }
        if let time = sighting.time {
            if let duration {
                let end = end ?? time.advanced(bySeconds: duration)
                self.end = end
                if time > end {
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

    private mutating func noteInterruption() {
        wait?.advance()
        if interruption.isRequested { goesOn = false }
    }

    /// After the time limit: reports to the consumer that everything up to it was taken.
    func finish(_ consumer: inout (some SightingConsumer & ~Copyable)) {
        if !goesOn, let end { _ = consumer.reached(end) }
    }
}

/// Replays sightings with the time between them that the recording had.
private struct Pace {
    private var start: (time: Timestamp, elapsed: Duration)?

    mutating func wait(for time: Timestamp, _ interruption: Interruption) {
        guard let start else {
            start = (time, SteadyClock.elapsed)
            return
        }
        while !interruption.isRequested {
            let missing = time.seconds(since: start.time) - (SteadyClock.elapsed - start.elapsed) / .seconds(1)
            guard missing > 0 else { return }
            // In short pieces, so that a signal is noticed.
            usleep(UInt32(min(missing, 0.1) * 1_000_000))
        }
    }
}
