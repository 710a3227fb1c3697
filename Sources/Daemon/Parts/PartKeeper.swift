import Events
import Logging
import ServiceLifecycle

/// Keeps the parts that the configuration asks for running, and only those.
actor PartKeeper {
    private let hub: EventHub
    private let logger: Logger
    /// Called when a part came to its end by itself.
    private let ended: @Sendable () -> Void
    /// In the order in which they were begun.
    private var runs: [PartRun] = []

    init(hub: EventHub, logger: Logger, ended: @escaping @Sendable () -> Void) {
        self.hub = hub
        var quiet = logger
        // Its debug lines print whole services.
        quiet.logLevel = max(logger.logLevel, .critical)
        self.logger = quiet
        self.ended = ended
    }

    /// Ends what is not asked for any more or has changed, and begins what is new.
    ///
    /// - Parameter isStart: where an essential part cannot be made, this throws why.
    /// - Returns: what has changed, for people: "content begun anew".
    func apply(_ parts: [Part], isStart: Bool = false) async throws -> [String] {
        var news: [String] = []
        for run in runs.reversed() where !parts.contains(where: { $0.isSame(as: run.part) }) {
            await run.stop()
            runs.removeAll { $0 === run }
            let goesOn = parts.contains { $0.name == run.part.name }
            news.insert(goesOn ? "\(run.part.name) begun anew" : "\(run.part.name) ended", at: 0)
        }
        for part in parts where !runs.contains(where: { $0.part.name == part.name }) {
            if !news.contains("\(part.name) begun anew") { news.append("\(part.name) begun") }
            var service: (any Service)?
            if isStart, part.isEssential { service = try await part.make() }
            let run = PartRun(part, hub: hub, logger: logger, ended: ended)
            runs.append(run)
            run.start(service)
        }
        return news
    }

    /// Whether all parts of these names came to their end by themselves.
    func areOver(_ names: [String]) -> Bool {
        names.allSatisfy { name in runs.contains { $0.part.name == name && $0.isOver } }
    }

    /// Ends all, the last begun first.
    func stop() async {
        for run in runs.reversed() { await run.stop() }
        runs = []
    }
}
