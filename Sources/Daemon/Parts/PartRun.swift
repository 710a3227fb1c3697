import Events
import Logging
import Platform
import ServiceLifecycle
import Synchronization

/// One part that runs. When it fails it is made anew, ever less often, and never given up.
final class PartRun: Sendable {
    let part: Part
    private let hub: EventHub
    private let logger: Logger
    /// Called when it came to its end by itself.
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())
    /// Whether its first attempt went well, once it is over.
    private let firstEnd: AsyncStream<Bool>
    private let tellFirstEnd: AsyncStream<Bool>.Continuation

    private struct State {
        var isStopping = false
        var isOver = false
        var group: ServiceGroup?
        var task: Task<Void, Never>?
        /// What was told last, and holds still.
        var trouble: String?
    }

    /// Less than systemd's TimeoutStopSec for all together, so that an end in order comes before a kill.
    private static let shutdownTimeout = Duration.seconds(10)
    /// What went well for so long was no part of the trouble before.
    private static let wellAfter = Duration.seconds(30)

    init(_ part: Part, hub: EventHub, logger: Logger, ended: @escaping @Sendable () -> Void) {
        self.part = part
        self.hub = hub
        self.logger = logger
        self.ended = ended
        (firstEnd, tellFirstEnd) = AsyncStream<Bool>.makeStream()
    }

    /// It came to its end by itself.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Begins, with the service where it was made already.
    func start(_ service: (any Service)?) {
        state.withLock { state in
            state.task = Task { await self.goOn(service) }
        }
    }

    /// Whether it has begun: many fail as soon as they run. Returns at once where it fails, else after a moment. To be
    /// asked once.
    func hasBegun(after moment: Duration) async -> Bool {
        let limit = Task { [tellFirstEnd] in
            try? await Task.sleep(for: moment)
            tellFirstEnd.finish()
        }
        defer { limit.cancel() }
        for await isWell in firstEnd { return isWell }
        return true
    }

    /// Ends it in order, and returns when it has ended.
    func stop() async {
        let (group, task) = state.withLock { state in
            state.isStopping = true
            return (state.group, state.task)
        }
        if let group {
            await group.triggerGracefulShutdown()
        } else {
            task?.cancel()
        }
        await task?.value
    }

    private func goOn(_ first: (any Service)?) async {
        var service = first
        var backoff = Backoff(longest: 60)
        while !Task.isCancelled, !state.withLock({ $0.isStopping }) {
            let began = ContinuousClock.now
            do {
                let made = if let service { service } else { try await part.make() }
                service = nil
                let isTroubled = state.withLock { $0.trouble != nil }
                let recovery = isTroubled ? Task { await self.tellMended() } : nil
                defer { recovery?.cancel() }
                try await run(made)
                let isOver = state.withLock { state in
                    state.isOver = !state.isStopping
                    return state.isOver
                }
                tellFirstEnd.yield(true)
                if isOver { ended() }
                return
            } catch {
                tellFirstEnd.yield(false)
                guard !state.withLock({ $0.isStopping }), !Task.isCancelled else { return }
                if ContinuousClock.now - began > Self.wellAfter { backoff = Backoff(longest: 60) }
                let pause = backoff.next()
                let isNews = state.withLock { state in
                    defer { state.trouble = "\(error)" }
                    return state.trouble != "\(error)"
                }
                if isNews { hub.publish(.trouble(part: part.name, problem: "\(error)", retry: pause)) }
                service = nil
                try? await Task.sleep(for: .seconds(pause))
            }
        }
    }

    /// Once it has gone well for a moment: many fail as soon as they run.
    private func tellMended() async {
        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
        state.withLock { $0.trouble = nil }
        hub.publish(.mended(part: part.name))
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
        try await group.run()
    }
}
