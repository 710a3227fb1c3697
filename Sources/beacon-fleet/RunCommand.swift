import ArgumentParser
import Beacon
import Broker
import Console
import CoreMetrics
import Fleet
import FleetFormat
import FleetServer
import Platform
import PrometheusMetrics
import Settings
import Text

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Resolves rooms at an MQTT broker, from the levels that scanners publish there.",
        discussion: """
            Any number can run, anywhere: all of them publish the same. One that starts takes over what the others, or \
            its predecessor, have published.
            """)

    @OptionGroup var broker: FleetBrokerOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show rooms in Home Assistant, by MQTT discovery below this prefix; usually homeassistant.",
            valueName: "prefix"))
    var homeAssistant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Work only on a part of the beacons, if one core is not enough for all: 2/3 is the second of three "
                + "parts.",
            valueName: "k/n"))
    var shard: String?

    @OptionGroup var outputs: OutputOptions

    private var part: FleetShard? {
        get throws {
            guard let shard else { return nil }
            guard let part = FleetShard(shard) else {
                throw CommandFailure.usage(
                    "--shard \(excerpt(shard)): write which of how many parts, as in --shard 2/3 (at most "
                        + "\(FleetShard.most))")
            }
            return part
        }
    }

    func run() async throws {
        Program.keepMemorySmall()
        let part = try part
        let login = try broker.login("beacon-fleet", shard: part)
        let names = try outputs.names.knownBeacons()
        let server = try outputs.server()
        try outputs.makeStateFolder()
        let hub = FleetHub(start: WallClock.now)
        let service = FleetService(
            login, prefix: broker.prefix, name: login.client, announcements: try announcements(names), shard: part,
            hub: outputs.isUsed ? hub : nil, tell: Self.tell)
        let history = outputs.state.map { folder in
            let days = outputs.historyDays ?? OutputOptions.usualHistoryDays
            return RoomHistory(hub, folder: folder, days: days, tell: Self.tell)
        }
        let web = server.map { settings, plans in
            let metrics = MetricRegistry()
            MetricsSystem.bootstrap(RegistryMetricsFactory(metrics, catalogue: Metric.all + Metric.fleet))
            metrics.addProcess()
            let sources = FleetServer.Sources(
                hub: hub, names: names, plans: plans, history: outputs.state, startedAt: WallClock.now)
            return FleetServer(sources, settings: settings, metrics: metrics)
        }
        try await UntilStopped.run(for: nil) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                if let history { group.addTask { await history.run() } }
                if let web { group.addTask { try await web.run() } }
                // Whatever ends first ends the program: a port that is taken, or the signal.
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private static let tell: @Sendable (String) -> Void = { line in Program.tell("beacon-fleet: \(line)") }

    private func announcements(_ names: KnownBeacons) throws -> RoomAnnouncements? {
        guard let homeAssistant else { return nil }
        do {
            try BrokerLogin.requirePrefix(homeAssistant, option: "--home-assistant")
        } catch {
            throw CommandFailure.usage("\(error)")
        }
        let topics = FleetTopics(prefix: broker.prefix)
        return RoomAnnouncements(
            RoomDiscovery(prefix: Topics.prefix(homeAssistant), topics: topics), names: names)
    }
}
