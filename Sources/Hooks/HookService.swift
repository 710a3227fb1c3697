package import Events
package import Logging
import Platform
import ServiceLifecycle
package import Settings
import Synchronization

/// Runs a command for each event of the kinds that have one, as this program's user.
///
/// Events wait while commands run. If there are too many, some are dropped and counted. At the end, those that wait
/// still get their commands for a short time. The others are left to the hooks that follow after a reload.
package struct HookService: Service {
    private let settings: HookSettings
    private let subscription: EventSubscription
    private let progress: HookProgress
    private let environment: HookEnvironment
    private let logger: Logger
    private let names: Names
    private let dropped: @Sendable (Int) -> Void
    private let grace: Duration

    /// The last command then has two seconds more, and two after SIGTERM. The daemon gives a part more than that.
    package static let grace = Duration.seconds(2)

    /// - Parameters:
    ///   - subscription: the events.
    ///   - progress: how far other hooks have come. Whoever made it tells of events that no other hooks take.
    ///   - environment: the daemon's environment; commands inherit most of it.
    ///   - logger: receives the commands' output and errors.
    ///   - grace: for how long events that wait get their commands after the daemon was asked to end.
    ///   - dropped: receives the number of dropped events.
    package init(
        _ settings: HookSettings, subscription: EventSubscription, progress: HookProgress = HookProgress(),
        names: Names, environment: [String: String], logger: Logger, grace: Duration = HookService.grace,
        dropped: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.settings = settings
        self.subscription = subscription
        self.progress = progress
        self.environment = HookEnvironment(names: names, inherited: environment)
        self.logger = logger
        self.names = names
        self.dropped = dropped
        self.grace = grace
    }

    package func run() async throws {
        let stop = HookStop(grace: grace)
        await withGracefulShutdownHandler {
            await follow(stop)
        } onGracefulShutdown: {
            stop.request()
        }
    }

    /// Returns when the last command has ended.
    private func follow(_ stop: HookStop) async {
        let places = AsyncSemaphore(value: settings.parallel)
        let troubles = HookFailures()
        var queue = HookQueue(kinds: Set(settings.commands.keys), after: progress.last)
        let removed = queue.takeOver(progress.take())
        if removed.count > 0 { dropped(removed.count) }
        tell(removed.lines)
        let line = HookLine(queue)
        // Reading never waits for a command, so that rare events are not lost among frequent ones. The group forgets
        // each command that has ended.
        await withDiscardingTaskGroup { group in
            group.addTask {
                await cancelWhenGracefulShutdown { await read(into: line) }
                line.finish()
            }
            for await _ in line.signal {
                while true {
                    await places.wait()
                    guard !Task.isCancelled, stop.mayStart, let record = line.next() else {
                        places.signal()
                        break
                    }
                    group.addTask {
                        await run(record, stop, troubles)
                        places.signal()
                    }
                }
            }
        }
        tell(line.lines(isEnd: true))
        progress.leave(line.handOver())
    }

    private func read(into line: HookLine) async {
        while let batch = await subscription.next() { take(batch, into: line) }
        // What happened before the end, but was not read yet.
        while let batch = subscription.take().batch { take(batch, into: line) }
    }

    private func take(_ batch: EventBatch, into line: HookLine) {
        progress.note(batch)
        let left = line.add(batch, names)
        if left > 0 { dropped(left) }
        tell(line.lines())
    }

    private func tell(_ lines: [String]) {
        for line in lines { logger.warning("\(line)") }
    }

    private func run(_ record: EventRecord, _ stop: HookStop, _ troubles: HookFailures) async {
        let (kind, logger) = (record.event.kind, logger)
        guard let command = settings.commands[kind] else { return }
        let run = HookRun(
            command: command, variables: environment.variables(record), input: environment.json(record),
            timeout: .seconds(settings.timeout),
            printed: { logger.info("hook     \(kind): \($0)") }, stop: stop)
        let outcome = (try? await OwnThread.run { run.run() }) ?? .failed("no thread can be had")
        if let line = troubles.line(kind, command[0], outcome) { logger.warning("\(line)") }
    }
}

/// The queue shared by the task that reads events and the one that starts commands.
private final class HookLine: Sendable {
    /// Signals new events.
    let signal: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let queue: Mutex<HookQueue>

    init(_ queue: HookQueue) {
        (signal, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.queue = Mutex(queue)
        // It may have events already.
        continuation.yield()
    }

    /// - Returns: how many were dropped.
    func add(_ batch: EventBatch, _ names: Names) -> Int {
        let now = steadySeconds()
        let left = queue.withLock { $0.add(batch, at: now) { names.given($0) != nil } }
        continuation.yield()
        return left
    }

    func next() -> EventRecord? { queue.withLock { $0.next() } }

    func lines(isEnd: Bool = false) -> [String] {
        let now = steadySeconds()
        return queue.withLock { $0.lines(at: now, isEnd: isEnd) }
    }

    /// Gives away what waits, for the hooks that follow.
    func handOver() -> [EventRecord] { queue.withLock { $0.handOver() } }

    func finish() { continuation.finish() }
}

/// Decides which failures of commands are reported: a repeated one only once.
final class HookFailures: Sendable {
    private let last = Mutex<[String: HookRun.Outcome]>([:])

    func line(_ kind: String, _ program: String, _ outcome: HookRun.Outcome) -> String? {
        let isNews = last.withLock { last in
            defer { last[kind] = outcome }
            return last[kind] != outcome
        }
        guard isNews, case .failed(let problem) = outcome else { return nil }
        return "hook     \(kind): \(program) \(problem)"
    }
}
