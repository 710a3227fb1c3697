import Beacon
import Bus
import HCI
import Radio
import Synchronization

/// One connection to bluetoothd, which carries out the session's actions. Only the connection's thread uses the
/// session, except for its counts.
final class BluezRun: BusReceiver {
    private let session: Mutex<BluezSession>
    private let failures: BluezFailure
    private let now: @Sendable () -> Timestamp
    private let interrupted: @Sendable (RadioError) -> Void
    private let doubted: @Sendable (Bool) -> Void
    private let sink: BluezListener.Sink
    private let starts: AsyncStream<BluezSession.Method>
    private let startContinuation: AsyncStream<BluezSession.Method>.Continuation
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    private struct State {
        var connection: BusConnection?
        /// The error with which the session ended, before the connection is closed.
        var sessionError: RadioError?
        var hasConnected = false
        var isStopping = false
        var end: RadioError??
        var waiter: CheckedContinuation<RadioError?, Never>?
    }

    init(
        _ session: BluezSession, failures: BluezFailure, now: @escaping @Sendable () -> Timestamp,
        interrupted: @escaping @Sendable (RadioError) -> Void, doubted: @escaping @Sendable (Bool) -> Void,
        sink: @escaping BluezListener.Sink
    ) {
        self.session = Mutex(session)
        self.failures = failures
        self.now = now
        self.interrupted = interrupted
        self.doubted = doubted
        self.sink = sink
        (starts, startContinuation) = AsyncStream.makeStream(of: BluezSession.Method.self)
    }

    var counts: DecodingCounts {
        session.withLock { session in
            var counts = DecodingCounts()
            counts.packets = session.signals
            counts.reports = session.tracker.updates
            counts.iBeacons = session.sightings
            counts.malformed = session.tracker.malformed
            return counts
        }
    }

    var listedBy: String? { session.withLock { $0.listedBy } }

    /// Runs until the session ends. Cancelling the task ends it. Returns the session's error, if there was one.
    func run(
        on address: BusAddress, started: @Sendable (BluezSession.Method) async -> Void
    ) async -> RadioError? {
        let connection = BusConnection(address, receiver: self)
        state.withLock { $0.connection = connection }
        return await withTaskCancellationHandler {
            do throws(BusError) {
                try connection.start()
            } catch {
                return failures.busUnreachable(error, address)
            }
            // Ends with the session, or when the task is cancelled. The code below waits for what is left to do then.
            for await method in starts { await started(method) }
            return await ended()
        } onCancel: {
            state.withLock { $0.isStopping = true }
            connection.perform { self.handle(.stop) }
        }
    }

    private func ended() async -> RadioError? {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.waiter = continuation }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    // MARK: - BusReceiver, and everything else on the connection's thread

    func busDidConnect() {
        state.withLock { $0.hasConnected = true }
        handle(.connected)
        tick()
    }

    /// Runs every second while the connection is open.
    private func tick() {
        handle(.tick((ContinuousClock.now - start) / .seconds(1)))
        let connection = state.withLock { $0.connection }
        connection?.perform(after: .seconds(1)) { self.tick() }
    }

    func receive(_ message: BusMessage) {
        handle(.message(message))
    }

    func busDidClose(_ error: BusError?) {
        let waiter = state.withLock { state in
            let end: RadioError? =
                if let sessionError = state.sessionError {
                    sessionError
                } else if let error, !state.isStopping {
                    state.hasConnected
                        ? failures.busEnded() : failures.busUnreachable(error, state.connection?.address ?? .system)
                } else {
                    nil
                }
            state.end = .some(end)
            // The connection and this object hold each other.
            state.connection = nil
            defer { state.waiter = nil }
            return state.waiter.map { ($0, end) }
        }
        startContinuation.finish()
        if let (waiter, end) = waiter { waiter.resume(returning: end) }
    }

    private func handle(_ input: BluezSession.Input) {
        let time = now()
        for action in session.withLock({ $0.handle(input, at: time) }) { carryOut(action) }
    }

    private func carryOut(_ action: BluezSession.Action) {
        guard let connection = state.withLock({ $0.connection }) else { return }
        switch action {
        case .call(let request):
            connection.call(request.message) { self.handle(.reply(request, $0)) }
        case .send(let message):
            connection.send(message)
        case .sighting(let sighting):
            sink(sighting)
        case .started(let method):
            startContinuation.yield(method)
        case .interrupted(let error):
            interrupted(error)
        case .doubt(let isInDoubt):
            doubted(isInDoubt)
        case .wait(let alarm, let duration):
            connection.perform(after: duration) { self.handle(.alarm(alarm)) }
        case .end(let error):
            state.withLock { $0.sessionError = error }
            connection.close()
        }
    }
}
