package import Events
package import Logging
import ServiceLifecycle

/// Keeps the parts that the configuration asks for running, and only those.
package actor PartKeeper {
    private let hub: EventHub
    private let logger: Logger
    /// Called when a part has ended by itself.
    private let ended: @Sendable () -> Void
    /// In the order of the configuration's parts, also after a reload: they end in the reverse order.
    private var runs: [PartRun] = []

    package init(hub: EventHub, logger: Logger, ended: @escaping @Sendable () -> Void) {
        self.hub = hub
        var quiet = logger
        // The debug lines of a service group print whole services.
        quiet.logLevel = max(logger.logLevel, .critical)
        self.logger = quiet
        self.ended = ended
    }

    /// Ends parts that are no longer in the configuration or have changed, and starts the new ones.
    ///
    /// - Parameters:
    ///   - isStart: if an essential part cannot be made, this throws the reason at once and does not wait for the
    ///     other parts.
    ///   - moment: how long a part must run before it is reported as started.
    /// - Returns: the changes, as text for people. A part that has not started reports the reason itself.
    package func apply(
        _ parts: [Part], isStart: Bool = false, wellAfter moment: Duration = .seconds(1)
    ) async throws -> [String] {
        var news: [String] = []
        var new: [PartRun] = []
        var changed: Set<String> = []
        for run in runs.reversed() where !parts.contains(where: { $0.isSame(as: run.part) }) {
            await run.stop()
            runs.removeAll { $0 === run }
            if parts.contains(where: { $0.name == run.part.name }) {
                changed.insert(run.part.name)
            } else {
                news.insert("\(run.part.name) ended", at: 0)
            }
        }
        for part in parts where !runs.contains(where: { $0.part.name == part.name }) {
            var service: (any Service)?
            if isStart, part.isEssential { service = try await part.make() }
            let run = PartRun(part, hub: hub, logger: logger, ended: ended)
            runs.append(run)
            run.start(service)
            new.append(run)
        }
        runs = parts.compactMap { part in runs.first { $0.part.name == part.name } }
        guard !isStart else { return [] }
        return news + (await Self.news(of: new, changed, wellAfter: moment))
    }

    /// Waits for all parts at the same time.
    private static func news(of runs: [PartRun], _ changed: Set<String>, wellAfter moment: Duration) async -> [String] {
        let begun = await withTaskGroup(of: (Int, Bool).self) { group in
            for (index, run) in runs.enumerated() { group.addTask { (index, await run.hasStarted(after: moment)) } }
            return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        return runs.enumerated().map { index, run in
            let name = run.part.name
            guard begun[index] == true else { return "\(name) has not started, and is tried again" }
            return changed.contains(name) ? "\(name) restarted" : "\(name) started"
        }
    }

    /// Whether all parts with these names have ended by themselves.
    func areOver(_ names: [String]) -> Bool {
        names.allSatisfy { name in runs.contains { $0.part.name == name && $0.isOver } }
    }

    /// Ends all parts, the last one first.
    package func stop() async {
        for run in runs.reversed() { await run.stop() }
        runs = []
    }
}
