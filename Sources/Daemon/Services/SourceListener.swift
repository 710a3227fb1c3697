import Beacon
import Console
import Events
import Listening
import Platform
import Radio
import ServiceLifecycle

/// Keeps one source connected: when it is lost, it is tried again, ever less often, and never given up.
struct SourceListener: Service {
    let spec: SourceSpec
    let index: UInt16
    let options: ListeningOptions
    let feed: SightingFeed
    let combined: CombinedHearing
    let adapters: AdapterWatch
    let tallies: SourceCounters
    let hub: EventHub
    /// Where scanners that a capture names get numbers.
    let receivers: Receivers

    /// Whatever kept a source away is over for so long at most before this is noticed.
    private static let longestPause = 20.0

    func run() async throws {
        // Begun anew by a reload, it may not hear any more.
        noteHearing(.blind)
        await cancelWhenGracefulShutdown { await listen() }
    }

    private func listen() async {
        var backoff = Backoff(longest: Self.longestPause)
        var options = options
        while !Task.isCancelled {
            let changes = adapters.changes
            let began = ContinuousClock.now
            do {
                if case .file(let path) = spec.kind {
                    try await replay(path)
                } else {
                    try await listenLive(options)
                }
                if !Task.isCancelled { hub.publish(.over(source: spec.description)) }
                return
            } catch {
                guard !Task.isCancelled else { return }
                let code = (error as? RadioError)?.code
                options.silence.startsInDoubt = code == .silent
                // What went well for a while was no part of the trouble before.
                if ContinuousClock.now - began > .seconds(10) { backoff = Backoff(longest: Self.longestPause) }
                let pause = backoff.next()
                hub.publish(.lost(source: spec.description, problem: "\(error)", retry: pause))
                await wait(pause, orChangeAfter: changes, isAbsent: code == .cannotOpen || code == .disconnected)
            }
        }
    }

    /// Not shorter than the first pause, so that changes which the attempt itself brings about end nothing early.
    ///
    /// - Parameter isAbsent: what was missing may come back; where it does, the pause is over too.
    private func wait(_ pause: Double, orChangeAfter changes: Int, isAbsent: Bool) async {
        guard (try? await Task.sleep(for: .seconds(Backoff.shortest))) != nil, pause > Backoff.shortest else { return }
        let rest = Duration.seconds(pause - Backoff.shortest)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await adapters.change(after: changes, within: rest) }
            if isAbsent, case .bluetoothd = spec.kind {
                group.addTask {
                    guard (try? await LiveSource.waitUntilPresent(spec)) == nil else { return }
                    try? await Task.sleep(for: rest)
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func listenLive(_ options: ListeningOptions) async throws {
        let source = try LiveSource(spec, index: index, options: options)
        hub.names.add(source.names)
        tallies.begin(spec.description, source)
        defer { tallies.end(spec.description) }
        try await source.listen(into: feed, hearingChanged: noteHearing) { how in
            // Which adapter `auto` has come to.
            let adapter = source.spec == spec ? "" : "\(source.spec), "
            hub.publish(.listening(source: spec.description, how: adapter + how))
        }
    }

    private func noteHearing(_ hearing: Hearing) {
        if let common = combined.note(hearing, of: index) { hub.publish(.hearing(common)) }
    }

    /// A capture in the daemon is heard as if it happened now, at its own pace.
    private func replay(_ path: String) async throws {
        let stop = ReplayStop()
        try await withTaskCancellationHandler {
            try await OwnThread.run { [spec, index, feed, hub, receivers] in
                try CaptureReplay.run(spec, path, index, receivers, feed, until: stop) {
                    hub.publish(.listening(source: spec.description, how: "a capture, at its own pace"))
                    noteHearing(.ok)
                }
            }
        } onCancel: {
            stop.request()
        }
    }
}
