import Beacon
import Console
import DaemonSettings
import Events
import Hooks
import Listening
import Logging
import Platform
import PrometheusMetrics
import Radio
import Ranging
import ServiceLifecycle
import Settings
import Synchronization

/// Runs ranging for the daemon's lifetime, and the parts around it as the configuration asks for.
final class DaemonCore: Service {
    /// Why the configuration is reloaded.
    enum Reason {
        /// A user asked for it. The result is reported in any case.
        case asked
        case fileChanged
    }

    private enum Command {
        case reload
        /// A part ended by itself.
        case ended
        case shutdown
    }

    let context: DaemonContext
    let ranging: RangingService
    let startedAt = WallClock.now
    private let configuration: Mutex<DaemonConfiguration>
    /// The path of the configuration file; nil for none.
    private let file: String?
    private let load: @Sendable () async throws -> DaemonConfiguration
    private let commands: AsyncStream<Command>
    private let send: AsyncStream<Command>.Continuation
    private let wanted: WantedReload
    private let sourceIDs = SourceIDs()
    private let refusals = Mutex(RefusalMemory())
    /// The cache directory in use.
    private let cacheDirectory: String

    init(
        _ configuration: DaemonConfiguration, file: String?, hub: EventHub, metrics: MetricRegistry, logger: Logger,
        load: @escaping @Sendable () async throws -> DaemonConfiguration
    ) {
        let (commands, send) = AsyncStream<Command>.makeStream()
        self.commands = commands
        self.send = send
        let wanted = WantedReload()
        self.wanted = wanted
        self.load = load
        self.file = file
        self.configuration = Mutex(configuration)
        cacheDirectory = configuration.cacheDirectory
        let context = DaemonContext(hub: hub, metrics: metrics, logger: logger) { wanted.want(.asked, send) }
        metrics.add(hub)
        metrics.add(tallies: { context.tallies.entries }, dropped: { context.feed.dropped })
        metrics.addProcess()
        self.context = context
        hub.names.configure(configuration.ranging.beacons)
        ranging = RangingService(
            feed: context.feed, combined: context.combined, hub: hub,
            settings: configuration.ranging.settings(for: Self.assign(configuration.sources, sourceIDs)),
            interval: configuration.ranging.interval, observers: Self.observers(configuration, context),
            isHeardEachSecond: { context.levels.isOn },
            nearest: { context.relay.want($0) }, inRange: { context.relay.inRange($0) })
    }

    /// The current configuration.
    var current: DaemonConfiguration { configuration.withLock { $0 } }

    /// Reloads the configuration. If the new one has mistakes, the old one stays in use.
    func reload(_ reason: Reason) {
        wanted.want(reason, send)
    }

    /// A reload that has not been carried out yet. One is enough for any number of requests: it reads the newest
    /// configuration.
    private final class WantedReload: Sendable {
        private let reason = Mutex<Reason?>(nil)

        func want(_ new: Reason, _ send: AsyncStream<Command>.Continuation) {
            let isFirst = reason.withLock { reason in
                defer { if reason != .asked { reason = new } }
                return reason == nil
            }
            if isFirst { send.yield(.reload) }
        }

        func take() -> Reason? {
            reason.withLock { reason in
                defer { reason = nil }
                return reason
            }
        }
    }

    /// The same for a client that waits for the result. It does not wait until the new configuration is applied,
    /// because that may close the client's connection.
    func judgeAndReload() async -> Judgement {
        do {
            let new = try await load()
            reload(.asked)
            return Judgement(needsRestart: needsRestart(new), file: file)
        } catch {
            let problems = Self.problems(of: error)
            refuse(problems, .asked)
            return Judgement(problems: problems)
        }
    }

    /// Whether a configuration is good.
    struct Judgement: Sendable {
        /// The mistakes, one per line.
        var problems: [String] = []
        /// Changed settings that count only after a restart of the daemon.
        var needsRestart: [String] = []
        /// The path of the file that was read; nil for none.
        var file: String?
    }

    /// The settings that docs/configuration.md marks with `Setting.Effect.needsRestart`.
    private func needsRestart(_ new: DaemonConfiguration) -> [String] {
        new.cacheDirectory == cacheDirectory ? [] : ["directories.cache"]
    }

    static func problems(of error: any Error) -> [String] {
        (error as? ConfigurationError)?.problems ?? ["\(error)"]
    }

    private func refuse(_ problems: [String], _ reason: Reason) {
        let isNews = refusals.withLock { $0.isNews(problems, isAsked: reason == .asked, at: ContinuousClock.now) }
        if isNews { context.hub.publish(.configuration(isGood: false, problems)) }
    }

    func run() async throws {
        let send = send
        let keeper = PartKeeper(hub: context.hub, logger: context.logger) { send.yield(.ended) }
        try await withGracefulShutdownHandler {
            _ = try await apply(current, keeper, isStart: true)
            ServiceManager.ready()
            var hasHeardAll = false
            for await command in commands {
                switch command {
                case .reload: if let reason = wanted.take() { await reload(keeper, reason) }
                case .ended: break
                case .shutdown: send.finish()
                }
                if !hasHeardAll, await keeper.areOver(sources(current).map { Self.partName($0.name) }) {
                    hasHeardAll = true
                    // Ranging takes the sightings that still wait, and then ends.
                    context.feed.finish()
                }
                if hasHeardAll, await keeper.areOver([Self.rangingPart]) {
                    await context.relay.isHandedOn()
                    if let content = context.content.service {
                        await cancelWhenGracefulShutdown { await content.settle(within: .seconds(10)) }
                    }
                    send.finish()
                }
            }
            await keeper.stop()
            giveUpHooks()
            context.hub.finish()
        } onGracefulShutdown: {
            send.yield(.shutdown)
        }
    }

    static let rangingPart = "ranging"

    static func partName(_ source: String) -> String { "source \(source)" }

    /// The sources with their IDs.
    func sources(_ configuration: DaemonConfiguration) -> [(name: String, id: SourceID, spec: SourceSpec)] {
        sourceIDs.assign(configuration.sources)
    }

    /// The receivers, by the IDs in sightings.
    var receivers: Receivers { sourceIDs.receivers }

    private func reload(_ keeper: PartKeeper, _ reason: Reason) async {
        ServiceManager.reloading()
        defer { ServiceManager.ready() }
        let new: DaemonConfiguration
        do {
            new = try await load()
        } catch {
            refuse(Self.problems(of: error), reason)
            return
        }
        let wasRefused = refusals.withLock { $0.forget() }
        let before = configuration.withLock { configuration in
            defer { configuration = new }
            return configuration
        }
        for warning in new.warnings where !before.warnings.contains(warning) { context.logger.warning("\(warning)") }
        if new.sources != before.sources, let recorder = new.listening.recorder,
            // It waits for what is being written.
            await !BlockingQueue("beacond.recording").run({ recorder.keepAdapters() })
        {
            context.logger.warning("\(Self.mixedRecording)")
        }
        var news: [String] = []
        let sources = sources(new)
        if ranging.apply(
            new.ranging.settings(for: sources.map { ($0.id, $0.spec.description) }), interval: new.ranging.interval)
        {
            news.append("ranging uses new settings")
        }
        if new.ranging.beacons != before.ranging.beacons {
            context.hub.names.configure(new.ranging.beacons)
            news.append("beacons have new names")
        }
        if let hearing = context.combined.keep(sources.map(\.id)) {
            context.hub.publish(.hearing(hearing))
            context.feed.wakeReader()
        }
        news += (try? await apply(new, keeper)) ?? []
        news += needsRestart(new).map { "\($0) counts after a restart of the daemon" }
        context.hub.keepSources(sources.map(\.spec.description))
        // A file that was written without changes is not reported, unless it mends a refused one.
        if !news.isEmpty || wasRefused || reason == .asked { context.hub.publish(.configuration(isGood: true, news)) }
    }

    /// Starts, restarts and ends parts until they are those of a configuration.
    ///
    /// - Returns: the changes, as text for people.
    private func apply(
        _ configuration: DaemonConfiguration, _ keeper: PartKeeper, isStart: Bool = false
    ) async throws -> [String] {
        context.hub.noteSite(isConfigured: configuration.content != nil)
        let news = try await keeper.apply(parts(configuration), isStart: isStart)
        // Only after the parts have ended: before that, they could still publish what they know.
        if configuration.health == nil { context.hub.publish(.off) }
        if configuration.content == nil { context.hub.forgetContent() }
        if configuration.hooks == nil { giveUpHooks() }
        return news
    }

    /// Tells of events that still waited for their commands, where no hooks follow.
    private func giveUpHooks() {
        let left = context.hookProgress.giveUp()
        if left.count > 0 { context.hub.noteDropped(left.count, by: "hooks") }
        for line in left.lines { context.logger.warning("\(line)") }
    }

    private static let mixedRecording =
        "--capture: the recording was begun with one source, so it does not keep which of several received a packet; "
        + "to keep that, start beacond again with another file"

    private static func assign(
        _ sources: [SourceSpec], _ ids: SourceIDs
    ) -> [(id: SourceID, name: String)] {
        ids.assign(sources).map { ($0.id, $0.spec.description) }
    }
}
