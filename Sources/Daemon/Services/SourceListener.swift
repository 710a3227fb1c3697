import Beacon
import Console
import Events
import Listening
import Platform
import Radio
import ServiceLifecycle

/// Keeps one source connected. A lost source is tried again, at growing intervals and without end.
struct SourceListener: Service {
    private typealias Input = Supervisor<String>.Input

    let spec: SourceSpec
    let source: SourceID
    let options: ListeningOptions
    let feed: SightingFeed
    let combined: CombinedHearing
    let adapters: AdapterWatch
    let tallies: SourceCounters
    let hub: EventHub
    /// Gives IDs to the scanners that a capture names.
    let receivers: Receivers

    private static var rules: Supervisor<String>.Rules {
        // This is the longest time until a source that has returned is used again.
        var rules = Supervisor<String>.Rules(longestPause: 20, stableAfter: 10)
        rules.jitter = 0.1
        rules.reportsEveryFailure = true
        return rules
    }

    func run() async throws {
        // A source that a reload has restarted may be unable to receive.
        noteHearing(.blind)
        await cancelWhenGracefulShutdown { await listen() }
    }

    /// Carries out the supervisor's actions in order. It ends when the task is cancelled.
    private func listen() async {
        let began = ContinuousClock.now
        var supervisor = Supervisor<String>(rules: Self.rules)
        var attempt = Attempt(options: options)
        var next: Input? = .start
        while let input = next, !Task.isCancelled {
            next = nil
            let now = (ContinuousClock.now - began) / .seconds(1)
            for action in supervisor.handle(input, at: now, random: .random(in: 0..<1)) {
                switch action {
                case .start:
                    next = await run(&attempt)
                    if Task.isCancelled { return }
                case .wait(let alarm, let seconds):
                    next = await wait(seconds, alarm, after: &attempt)
                case .report(let problem, let retry):
                    hub.publish(.lost(source: spec.description, problem: problem, retry: retry ?? 0))
                    tell(combined.noteLoss(of: source))
                case .finish(.ended):
                    hub.publish(.over(source: spec.description))
                case .stop, .reportRecovery, .finish: break
                }
            }
        }
    }

    /// The state of the attempts so far.
    private struct Attempt {
        var options: ListeningOptions
        /// Nil if the source could not be made.
        var source: (any SightingSource)?
        /// The count of adapter changes before the attempt.
        var changes = 0
        /// The adapter was missing, and may come back.
        var isAbsent = false
        /// Nothing shortens the first pause after a failure.
        var isFirstPause = true
    }

    private func run(_ attempt: inout Attempt) async -> Input {
        attempt.changes = adapters.changes
        attempt.isFirstPause = true
        attempt.source = nil
        do {
            // On a thread of its own: a scenario may be on a slow disk, and the kernel may load Bluetooth only now.
            let made = try await OwnThread.run { [spec, source, receivers, options = attempt.options] in
                try spec.makeSource(source, options: options, receivers: receivers)
            }
            attempt.source = made
            try await listen(to: made)
            return .ended
        } catch {
            let code = (error as? RadioError)?.code
            attempt.options.silence.startsInDoubt = code == .silent
            if let daemon = attempt.source?.listedBy { attempt.options.listedBy = daemon }
            attempt.isAbsent = code == .cannotOpen || code == .disconnected
            return .failed("\(error)")
        }
    }

    private func listen(to source: any SightingSource) async throws {
        hub.names.add(source.names)
        // A capture loses nothing and has no radio.
        if !spec.isFile { tallies.begin(spec.description, source) }
        defer { if !spec.isFile { tallies.end(spec.description) } }
        try await source.listen(
            into: feed,
            ListeningHandlers(hearingChanged: noteHearing) { how in
                if !spec.isFile { tallies.connected(spec.description) }
                // The adapter that `auto` has selected.
                let adapter = source.spec == spec ? "" : "\(source.spec), "
                hub.publish(.listening(source: spec.description, how: adapter + how))
            })
    }

    /// Waits until the next attempt. Any pause except the first ends early if an adapter changes, or if a missing one
    /// has come back.
    private func wait(
        _ seconds: Double, _ alarm: Supervisor<String>.Alarm, after attempt: inout Attempt
    ) async -> Input {
        let pause = Duration.seconds(seconds)
        guard !attempt.isFirstPause else {
            attempt.isFirstPause = false
            try? await Task.sleep(for: pause)
            return .due(alarm)
        }
        let (source, changes, isAbsent) = (attempt.source, attempt.changes, attempt.isAbsent)
        return await withTaskGroup(of: Input?.self) { group in
            group.addTask {
                try? await Task.sleep(for: pause)
                return .due(alarm)
            }
            group.addTask {
                await adapters.change(after: changes, within: pause)
                return .retry
            }
            if isAbsent, let source {
                group.addTask { (try? await source.waitUntilPresent()) == nil ? nil : .retry }
            }
            defer { group.cancelAll() }
            for await input in group { if let input { return input } }
            return .due(alarm)
        }
    }

    private func noteHearing(_ hearing: Hearing) {
        tell(combined.note(hearing, of: source))
    }

    /// - Parameter common: the state of all sources together; nil if it has not changed.
    private func tell(_ common: Hearing?) {
        guard let common else { return }
        hub.publish(.hearing(common))
        // The next ranking says so too.
        feed.wakeReader()
    }
}
