import Events
import Logging
import Platform
import ServiceLifecycle
import Synchronization

/// One running part. After a failure it is made again, at growing intervals and without end. `Supervisor` decides
/// when, and this type does it.
final class PartRun: Sendable {
    private typealias Input = Supervisor<String>.Input

    let part: Part
    private let hub: EventHub
    private let logger: Logger
    /// Called when the part has ended by itself.
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())
    private let inputs: AsyncStream<Input>
    private let send: AsyncStream<Input>.Continuation
    /// Whether the first attempt succeeded, once it has ended.
    private let firstEnd: AsyncStream<Bool>
    private let tellFirstEnd: AsyncStream<Bool>.Continuation

    private struct State {
        var isStopping = false
        var isOver = false
        var group: ServiceGroup?
        var task: Task<Void, Never>?
    }

    /// Less than systemd's TimeoutStopSec for all parts together, so that the daemon shuts down in order before
    /// systemd kills it.
    private static let shutdownTimeout = Duration.seconds(10)

    /// A part counts as recovered after this time, because many fail as soon as they run.
    private static let steadyAfter = Duration.seconds(1)

    private static var rules: Supervisor<String>.Rules {
        var rules = Supervisor<String>.Rules(longestPause: 60, stableAfter: 30)
        rules.jitter = 0.1
        return rules
    }

    init(_ part: Part, hub: EventHub, logger: Logger, ended: @escaping @Sendable () -> Void) {
        self.part = part
        self.hub = hub
        self.logger = logger
        self.ended = ended
        (inputs, send) = AsyncStream.makeStream()
        (firstEnd, tellFirstEnd) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// The part has ended by itself.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Starts the part, with its service if that was already made.
    func start(_ service: (any Service)?) {
        send.yield(.start)
        state.withLock { state in
            state.task = Task { await self.supervise(service) }
        }
    }

    /// Whether the part has started. Many fail as soon as they run, so this returns false at once after a failure, and
    /// true after `moment`. Call it only once.
    func hasStarted(after moment: Duration) async -> Bool {
        let limit = Deadline(after: moment) { [tellFirstEnd] in tellFirstEnd.finish() }
        defer { limit.cancel() }
        for await isWell in firstEnd { return isWell }
        return true
    }

    /// Ends the part in order, and returns when it has ended.
    func stop() async {
        send.yield(.stop)
        await state.withLock { $0.task }?.value
    }

    private func supervise(_ first: (any Service)?) async {
        let began = ContinuousClock.now
        var supervisor = Supervisor<String>(rules: Self.rules)
        var made = first
        await withDiscardingTaskGroup { group in
            for await input in inputs {
                note(input)
                let now = (ContinuousClock.now - began) / .seconds(1)
                for action in supervisor.handle(input, at: now, random: .random(in: 0..<1)) {
                    switch action {
                    case .start:
                        let service = made
                        made = nil
                        group.addTask { self.send.yield(await self.attempt(service)) }
                    case .stop:
                        if let running = stopping() {
                            await running.triggerGracefulShutdown()
                        } else {
                            group.cancelAll()
                        }
                    case .wait(let alarm, let seconds):
                        group.addTask {
                            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                            self.send.yield(.due(alarm))
                        }
                    case .report(let problem, let retry):
                        hub.publish(.trouble(part: part.name, problem: problem, retry: retry))
                    case .reportRecovery:
                        hub.publish(.mended(part: part.name))
                    case .finish(let outcome):
                        group.cancelAll()
                        hub.forgetFailure(of: part.name)
                        if outcome == .ended { noteEnd() }
                        return
                    }
                }
            }
        }
    }

    private func note(_ input: Input) {
        switch input {
        case .ended: tellFirstEnd.yield(true)
        case .failed: tellFirstEnd.yield(false)
        default: break
        }
    }

    private func noteEnd() {
        state.withLock { $0.isOver = true }
        ended()
    }

    /// Marks the part as ending. Returns what runs, or nil if the service is still being made.
    private func stopping() -> ServiceGroup? {
        state.withLock { state in
            state.isStopping = true
            return state.group
        }
    }

    /// Makes the service if it was not already made, and runs it.
    private func attempt(_ made: (any Service)?) async -> Input {
        do {
            let service = if let made { made } else { try await part.make() }
            try await run(service)
            return .ended
        } catch {
            return .failed("\(error)")
        }
    }

    private func run(_ service: any Service) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.shutdownTimeout
        let group = ServiceGroup(configuration: configuration)
        let isStopping = state.withLock { state in
            state.group = group
            return state.isStopping
        }
        defer { state.withLock { $0.group = nil } }
        if isStopping { await group.triggerGracefulShutdown() }
        let steady = Deadline(after: Self.steadyAfter) { [send] in send.yield(.succeeded) }
        defer { steady.cancel() }
        try await group.run()
    }
}
