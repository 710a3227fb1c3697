package import Beacon
package import HCI
import Platform
import Synchronization

/// The host's end of a transport: sends commands one at a time, awaits their answers, and passes every packet to its
/// handler.
package final class Host: Sendable {
    /// Called with each packet on the transport's thread, type octet first. The bytes are valid only during the call.
    package typealias PacketHandler = @Sendable (RawSpan, Timestamp) -> Void

    private struct State {
        var queue = CommandQueue()
        var waiting: [CommandQueue.ID: CheckedContinuation<CommandQueue.Outcome, Never>] = [:]
        /// Outcomes that came before their caller waited for them.
        var early: [CommandQueue.ID: CommandQueue.Outcome] = [:]
        var end: End?
        var endWaiters: [CheckedContinuation<End, Never>] = []
        var trouble = ControllerTrouble()
    }

    /// How a transport ended: with an error, or because it was closed or its source has ended.
    package enum End: Hashable, Sendable {
        case over
        case failed(RadioError)
    }

    /// The controller's name in error messages.
    package let name: String
    private let transport: any Transport
    private let clock: any Clock<Duration>
    private let commandLimit: Duration
    /// The sleeps of which a command's time-out consists.
    package static let limitSteps = 4
    private let handler: PacketHandler
    private let state = Mutex(State())
    /// One procedure at a time, because their commands must not mix.
    let semaphore = AsyncSemaphore(value: 1)

    /// - Parameters:
    ///   - name: the source's specification, for messages.
    ///   - commandLimit: the time-out of a command. Some controllers never answer.
    package init(
        transport: any Transport, name: String, clock: any Clock<Duration> = SessionThread.clock,
        commandLimit: Duration = .seconds(2), handler: @escaping PacketHandler
    ) {
        self.transport = transport
        self.name = name
        self.clock = clock
        self.commandLimit = commandLimit
        self.handler = handler
    }

    package var sharing: ControllerSharing { transport.sharing }

    /// Packets lost before they could be read.
    package var overruns: Int { transport.overruns }

    /// The failed commands so far, and the recovery steps that were taken.
    var trouble: ControllerTrouble { state.withLock { $0.trouble } }

    func took(_ stage: ControllerTrouble.Stage) {
        state.withLock { $0.trouble.steps[stage, default: 0] += 1 }
    }

    /// Connects. Packets reach the handler from now on.
    package func open() async throws(RadioError) {
        try await transport.open(delivering: Receiver(host: self))
    }

    /// Sends a command and returns the controller's answer, whatever its status.
    ///
    /// - Throws: when the controller does not answer in time or the connection ends.
    package func execute(_ command: Command) async throws(RadioError) -> CommandAnswer {
        let (id, actions) = state.withLock { $0.queue.submit(command) }
        await perform(actions)
        // Not a child task: the time-out counts for a caller that was cancelled too.
        let limit = Task(executorPreference: SessionThread.executor) { await self.expire(id) }
        defer { limit.cancel() }
        switch await outcome(of: id) {
        case .answered(let answer):
            if answer.status != .success { state.withLock { $0.trouble.refused[answer.status, default: 0] += 1 } }
            return answer
        case .timedOut:
            state.withLock { $0.trouble.unanswered += 1 }
            throw RadioError(
                .timedOut, at: name, "no answer to \(command.opcode) within \(commandLimit.components.seconds) s",
                remedy: "the controller hangs, or the source is not a controller: reset or replug it")
        case .closed:
            if case .failed(let error) = state.withLock({ $0.end }) { throw error }
            throw RadioError(.closed, at: name, "the connection was closed before \(command.opcode) was answered")
        }
    }

    /// Suspends until the transport has ended.
    package func ended() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.endWaiters.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    package func close() async {
        await transport.close()
        end(.over)
    }

    // MARK: -

    private func outcome(of id: CommandQueue.ID) async -> CommandQueue.Outcome {
        await withCheckedContinuation { continuation in
            let early = state.withLock { state in
                let early = state.early.removeValue(forKey: id)
                if early == nil { state.waiting[id] = continuation }
                return early
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    private func perform(_ actions: [CommandQueue.Action]) async {
        for action in actions {
            switch action {
            case .finish(let id, let outcome):
                finish(id, outcome)
            case .send(let command, _):
                do throws(RadioError) {
                    try await transport.send(command.packet)
                } catch {
                    end(.failed(error))
                }
            }
        }
    }

    /// In steps: a pause of this process or of its machine, in which no answer can be read, counts for one of them.
    private func expire(_ id: CommandQueue.ID) async {
        for _ in 0..<Self.limitSteps {
            guard (try? await clock.sleep(for: commandLimit / Self.limitSteps)) != nil else { return }
        }
        await perform(state.withLock { $0.queue.timedOut(id) })
    }

    private func finish(_ id: CommandQueue.ID, _ outcome: CommandQueue.Outcome) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            if continuation == nil { state.early[id] = outcome }
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    private func end(_ end: End) {
        let (actions, waiters) = state.withLock { state in
            guard state.end == nil else { return ([CommandQueue.Action](), [CheckedContinuation<End, Never>]()) }
            state.end = end
            defer { state.endWaiters = [] }
            return (state.queue.close(), state.endWaiters)
        }
        for case .finish(let id, let outcome) in actions { finish(id, outcome) }
        for waiter in waiters { waiter.resume(returning: end) }
    }

    fileprivate func received(_ packet: RawSpan, at time: Timestamp) {
        if packet.byteCount > 3, packet.octet(at: 0) == PacketType.event.rawValue,
            let answer = CommandAnswer(event: packet.extracting(1..<packet.byteCount)) {
            for action in state.withLock({ $0.queue.received(answer) }) {
                switch action {
                case .finish(let id, let outcome): finish(id, outcome)
                // Sending may suspend, and this is the transport's thread.
                case .send: Task { await perform([action]) }
                }
            }
        }
        handler(packet, time)
    }

    fileprivate func transportDidClose(_ error: RadioError?) {
        end(error.map(End.failed) ?? .over)
    }
}

/// Keeps `receive` out of the host's public interface.
private struct Receiver: PacketReceiver {
    let host: Host

    func receive(_ packet: RawSpan, at time: Timestamp) {
        host.received(packet, at: time)
    }

    func transportDidClose(_ error: RadioError?) {
        host.transportDidClose(error)
    }
}
