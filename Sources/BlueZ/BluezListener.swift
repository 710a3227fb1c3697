package import Beacon
package import Bus
package import HCI
import Platform
package import Radio
import Synchronization

/// Listens for iBeacons through bluetoothd: needs no rights, and shares the adapter with everything else that
/// bluetoothd does.
package final class BluezListener: Sendable {
    /// Takes sightings on the bus connection's thread: it must return soon.
    package typealias Sink = @Sendable (borrowing Sighting) -> Void

    /// What this way of listening cannot know, in any case; `BluezSession.Method.limitation` says the rest.
    package static let note = """
        through bluetoothd the real advertising rate is not known, since it joins, filters and delays what it tells; \
        levels are the last that it told, times are those of its signals, and event types are not told
        """

    private let index: UInt16
    private let address: BusAddress
    private let method: BluezSession.Method?
    private let limits: BluezSession.Limits
    private let silence: SilenceWatch.Settings
    private let source: SourceID
    private let now: @Sendable () -> Timestamp
    private let interrupted: @Sendable (RadioError) -> Void
    private let doubted: @Sendable (Bool) -> Void
    private let sink: Sink
    private let run = Mutex(Run())

    private struct Run {
        var current: BluezRun?
        var earlier = DecodingCounts()
    }

    /// - Parameters:
    ///   - index: the adapter's, as in `hci0`.
    ///   - bus: where bluetoothd is; the system's bus but for tests.
    ///   - method: nil takes the best that bluetoothd offers: a discovery, beside an advertisement monitor if possible.
    ///   - limits: how long bluetoothd may be away and answers may take.
    ///   - silence: how long it may tell nothing.
    ///   - source: goes into every sighting.
    ///   - now: the time of a signal's arrival, which becomes the sighting's; the system's clock but for tests.
    ///   - interrupted: called when nothing is heard for now although `run` goes on, since bluetoothd has ended and
    ///     may come back. `run`'s `started` is called again when it has.
    ///   - doubted: called with true when silence has lasted and bluetoothd was asked whether it lives, and with false
    ///     when it has answered.
    package init(
        adapter index: UInt16, bus: BusAddress = .system, method: BluezSession.Method? = nil,
        limits: BluezSession.Limits = BluezSession.Limits(),
        silence: SilenceWatch.Settings = SilenceWatch.Settings(), source: SourceID = 0,
        now: @escaping @Sendable () -> Timestamp = { WallClock.now },
        interrupted: @escaping @Sendable (RadioError) -> Void = { _ in },
        doubted: @escaping @Sendable (Bool) -> Void = { _ in }, sink: @escaping Sink
    ) {
        self.index = index
        address = bus
        self.method = method
        self.limits = limits
        self.silence = silence
        self.source = source
        self.now = now
        self.interrupted = interrupted
        self.doubted = doubted
        self.sink = sink
    }

    /// What passed through so far, over all runs: signals as packets, announcements of devices as reports.
    package var counts: DecodingCounts {
        run.withLock { run in
            var counts = run.earlier
            if let current = run.current { counts += current.counts }
            return counts
        }
    }

    /// Listens, and returns when the task is cancelled: the monitor is then unregistered or the discovery stopped.
    /// May be called again after it threw; one call at a time.
    ///
    /// A restart of bluetoothd is followed. Throws when the bus or bluetoothd cannot be reached or does not let this
    /// user in, when the adapter is not there, is powered off or goes away, and when bluetoothd stays away.
    /// - Parameter started: called when bluetoothd listens, and again each time that it does so anew.
    package func run(
        started: @Sendable (BluezSession.Method) async -> Void = { _ in }
    ) async throws(RadioError) {
        let session = BluezSession(
            adapter: index, source: source, goal: .listen(method), limits: limits, silence: silence)
        try await run(session, started: started)
    }

    /// Returns when the adapter is there and powered on, or the task is cancelled: what is missing is waited for by
    /// bluetoothd's signals, without asking again. Throws when the bus cannot be reached or does not let this user in.
    package func waitUntilPresent() async throws(RadioError) {
        try await run(BluezSession(adapter: index, goal: .presence, limits: limits), started: { _ in })
    }

    private func run(
        _ session: BluezSession, started: @Sendable (BluezSession.Method) async -> Void
    ) async throws(RadioError) {
        let current = BluezRun(
            session, failures: BluezFailure(adapter: index), now: now, interrupted: interrupted, doubted: doubted,
            sink: sink)
        run.withLock { $0.current = current }
        defer {
            run.withLock { run in
                run.earlier += current.counts
                run.current = nil
            }
        }
        if let error = await current.run(on: address, started: started) { throw error }
    }
}
