package import Events
package import Logging
import Platform
import ServiceLifecycle
package import Settings
import Synchronization

/// Runs a command for each event of the kinds that have one, as this program's user.
///
/// Events wait while commands run. If there are too many, some are dropped and counted.
package struct HookService: Service {
    private let settings: HookSettings
    private let subscription: EventSubscription
    private let environment: HookEnvironment
    private let logger: Logger
    private let names: Names
    private let dropped: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - subscription: the events.
    ///   - environment: the daemon's environment; commands inherit most of it.
    ///   - dropped: receives the number of dropped events.
    ///   - logger: receives the commands' output and errors.
    package init(
        _ settings: HookSettings, subscription: EventSubscription, names: Names,
        environment: [String: String], logger: Logger, dropped: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.settings = settings
        self.subscription = subscription
        self.environment = HookEnvironment(names: names, inherited: environment)
        self.logger = logger
        self.names = names
        self.dropped = dropped
    }

    package func run() async throws {
        let stop = HookStop()
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await follow(stop) }
        } onGracefulShutdown: {
            stop.request()
        }
    }

    /// Returns when the last command has ended.
    private func follow(_ stop: HookStop) async {
        let places = AsyncSemaphore(value: settings.parallel)
        let troubles = HookFailures()
        let line = HookLine(HookQueue(kinds: Set(settings.commands.keys)))
        // Reading never waits for a command, so that rare events are not lost among frequent ones. The group forgets
        // each command that has ended.
        await withDiscardingTaskGroup { group in
            group.addTask { await read(into: line) }
            for await _ in line.signal {
                while true {
                    await places.wait()
                    guard !Task.isCancelled, let record = line.next() else {
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
    }

    private func read(into line: HookLine) async {
        while let batch = await subscription.next() {
            let left = line.add(batch, names)
            if left > 0 { dropped(left) }
            tell(line.lines())
        }
        line.finish()
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
