package import Beacon
package import Bus
package import HCI
import Platform
package import Radio
import Synchronization

/// Listens for iBeacons through bluetoothd. This needs no privileges, and shares the adapter with everything else that
/// bluetoothd does.
package final class BluezListener: Sendable {
    /// Receives sightings on the thread of the bus connection. It must return soon.
    package typealias Sink = @Sendable (borrowing Sighting) -> Void

    /// The limits that this way of listening always has. `BluezSession.Method.limitation` has those of a method.
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
    private let run: Mutex<Run>

    private struct Run {
        var current: BluezRun?
        var earlier = DecodingCounts()
        var listedBy: String?
    }

    /// - Parameters:
    ///   - index: the number of the adapter, as in `hci0`.
    ///   - bus: the address of bluetoothd's bus; the system bus except in tests.
    ///   - method: nil takes the best that bluetoothd offers: a discovery, together with an advertisement monitor if
    ///     possible.
    ///   - limits: the time limits for bluetoothd's absence and for its answers.
    ///   - silence: the limits for silence.
    ///   - source: the source ID in every sighting.
    ///   - listedBy: the `listedBy` of an earlier listener on this adapter.
    ///   - now: the time at which a signal arrives, which becomes the time of the sighting; the system's clock except
    ///     in tests.
    ///   - interrupted: called when nothing is received for now although `run` continues, because bluetoothd has ended
    ///     and may come back. When it has, `started` of `run` is called again.
    ///   - doubted: called with true when silence has lasted and bluetoothd was asked for an answer, and with false
    ///     when it has answered.
    package init(
        adapter index: UInt16, bus: BusAddress = .system, method: BluezSession.Method? = nil,
        limits: BluezSession.Limits = BluezSession.Limits(),
        silence: SilenceWatch.Settings = SilenceWatch.Settings(), source: SourceID = 0, listedBy: String? = nil,
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
        run = Mutex(Run(listedBy: listedBy))
        self.now = now
        self.interrupted = interrupted
        self.doubted = doubted
        self.sink = sink
    }

    /// What was decoded so far, over all runs: signals count as packets, announcements of devices as reports.
    package var counts: DecodingCounts {
        run.withLock { run in
            var counts = run.earlier
            if let current = run.current { counts += current.counts }
            return counts
        }
    }

    /// The bluetoothd whose devices were read, by its unique name on the bus. A level that it lists again may be old.
    package var listedBy: String? {
        run.withLock { $0.current?.listedBy ?? $0.listedBy }
    }

    /// Listens until the task is cancelled. Then it unregisters the monitor or stops the discovery, and returns. May
    /// be called again after it threw; one call at a time.
    ///
    /// It continues after a restart of bluetoothd.
    ///
    /// - Parameter started: called when bluetoothd listens, and each time that it listens again.
    /// - Throws: if the bus or bluetoothd cannot be reached or access is denied, if the adapter is missing, powered off
    ///   or removed, and if bluetoothd does not come back.
    package func run(
        started: @Sendable (BluezSession.Method) async -> Void = { _ in }
    ) async throws(RadioError) {
        let session = BluezSession(
            adapter: index, source: source, goal: .listen(method), limits: limits, silence: silence,
            listedBy: listedBy)
        try await run(session, started: started)
    }

    /// Returns when the adapter is present and powered on, or when the task is cancelled. It waits for bluetoothd's
    /// signals, without polling.
    ///
    /// - Throws: if the bus cannot be reached or access is denied.
    package func waitUntilPresent() async throws(RadioError) {
        let session = BluezSession(adapter: index, goal: .presence, limits: limits, listedBy: listedBy)
        try await run(session, started: { _ in })
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
                run.listedBy = current.listedBy
                run.current = nil
            }
        }
        if let error = await current.run(on: address, started: started) { throw error }
    }
}
