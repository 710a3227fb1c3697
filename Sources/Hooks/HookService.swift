import Console
import Coordination
public import Events
public import Logging
import Radio
public import ServiceLifecycle
import Synchronization

/// Runs a command for each event of the kinds that have one, as this program's user.
///
/// Events wait in the hub while commands run; what is too old by then is left out, and counted.
public struct HookService: Service {
    private let settings: HookSettings
    private let subscription: EventSubscription
    private let environment: HookEnvironment
    private let logger: Logger

    /// - Parameters:
    ///   - subscription: the events.
    ///   - environment: the daemon's own, of which the commands get most.
    ///   - logger: gets what commands print, and what goes wrong with them.
    public init(
        _ settings: HookSettings, subscription: EventSubscription, names: Names,
        environment: [String: String], logger: Logger
    ) {
        self.settings = settings
        self.subscription = subscription
        self.environment = HookEnvironment(names: names, inherited: environment)
        self.logger = logger
    }

    public func run() async throws {
        let stop = HookStop()
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await follow(stop) }
        } onGracefulShutdown: {
            stop.request()
        }
    }

    /// Returns when the last command has ended.
    private func follow(_ stop: HookStop) async {
        let places = Turnstile(places: settings.parallel)
        let troubles = HookTroubles()
        var reader = HookReader(kinds: Set(settings.commands.keys))
        await withTaskGroup { group in
            while let batch = await subscription.next() {
                let (records, missed) = reader.take(batch)
                if missed > 0 {
                    logger.warning("hooks    \(missed) events are left out: the commands take too long")
                }
                for record in records {
                    await places.enter()
                    guard !Task.isCancelled else { return places.leave() }
                    group.addTask {
                        await run(record, stop, troubles)
                        places.leave()
                    }
                }
            }
        }
    }

    private func run(_ record: EventRecord, _ stop: HookStop, _ troubles: HookTroubles) async {
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

/// Which failures of commands are news: the same one in a row is told once.
final class HookTroubles: Sendable {
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
