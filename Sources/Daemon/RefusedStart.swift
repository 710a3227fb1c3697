import Console
import Control
package import DaemonSettings
package import Logging
import ServiceLifecycle
import Serving
package import Settings
import Synchronization
import UnixSignals

/// A daemon that was started by a request, but whose configuration has mistakes. It keeps running, because every
/// further request would start it again. It answers with the mistakes, and continues when the file has been corrected.
package struct RefusedStart: Sendable {
    private let file: String?
    private let environment: [String: String]
    private let logger: Logger
    private let load: @Sendable () async throws -> DaemonConfiguration
    private let state: State

    /// - Parameters:
    ///   - error: the mistakes.
    ///   - file: the path of the configuration file, which is watched; nil for none.
    ///   - load: reads the configuration again.
    package init(
        _ error: ConfigurationError, file: String?, environment: [String: String], logger: Logger,
        load: @escaping @Sendable () async throws -> DaemonConfiguration
    ) {
        self.file = file
        self.environment = environment
        self.logger = logger
        self.load = load
        state = State(error.problems)
    }

    /// Answers until the configuration is good, and returns it. Returns nil if a signal ends it earlier.
    package func run() async throws -> DaemonConfiguration? {
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let state = state
        let remedy = "correct it (beaconctl config check): the daemon then continues by itself"
        let answer: @Sendable (ControlRequest) async throws -> ControlAnswer = { [load, file] request in
            guard request.path == "/v1/reload" else {
                throw Refusal.refusedConfiguration(503, state.problems, remedy)
            }
            do {
                _ = try await load()
                change.yield()
                return try DaemonCore.reloaded([], file: file, orElse: remedy)
            } catch {
                return try DaemonCore.reloaded(DaemonCore.problems(of: error), file: file, orElse: remedy)
            }
        }
        var services: [any Service] = [
            Trial(start: self, changes: changes), ReloadSignal { change.yield() },
            ControlService(insteadOfDaemon: answer, settings: ControlSettings(socket: nil), logger: logger),
        ]
        // A refused configuration has no file state to compare with, so the file is read once more.
        if let file { services.append(ConfigurationWatch(file: file, seen: nil) { change.yield() }) }
        try await ServiceGroup.run(services, endWithin: .seconds(5), logger: logger)
        return state.good
    }

    /// Reads the configuration after each change, until it is good.
    private struct Trial: Service {
        let start: RefusedStart
        let changes: AsyncStream<Void>

        func run() async throws {
            start.tell()
            // systemd must not time out while this waits for a person.
            ServiceManager.ready()
            let beat = ServiceManager.watchdogInterval(start.environment).map { interval in
                Task {
                    while !Task.isCancelled {
                        ServiceManager.alive()
                        try? await Task.sleep(for: .seconds(interval))
                    }
                }
            }
            defer { beat?.cancel() }
            await cancelWhenGracefulShutdown {
                for await _ in changes where await start.isGoodNow() { break }
            }
        }
    }

    private func isGoodNow() async -> Bool {
        do {
            let good = try await load()
            state.accept(good)
            logger.info("the configuration is good now")
            return true
        } catch {
            if state.note(DaemonCore.problems(of: error)) { tell() }
            return false
        }
    }

    private func tell() {
        let problems = state.problems
        for problem in problems { logger.error("the configuration cannot be used: \(problem)") }
        ServiceManager.status(Self.status(ConfigurationError(problems)))
    }

    /// One line for `systemctl status`.
    package static func status(_ error: ConfigurationError) -> String {
        let problems = error.problems
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return "the configuration cannot be used: \(problems.first ?? "")\(more)"
    }

    private final class State: Sendable {
        private let inner: Mutex<(problems: [String], good: DaemonConfiguration?)>

        init(_ problems: [String]) {
            inner = Mutex((problems, nil))
        }

        var problems: [String] { inner.withLock { $0.problems } }
        var good: DaemonConfiguration? { inner.withLock { $0.good } }

        func accept(_ configuration: DaemonConfiguration) {
            inner.withLock { $0.good = configuration }
        }

        /// Returns whether they differ from the previous ones.
        func note(_ problems: [String]) -> Bool {
            inner.withLock { inner in
                defer { inner.problems = problems }
                return inner.problems != problems
            }
        }
    }
}
