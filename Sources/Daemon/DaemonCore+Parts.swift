import Beacon
import Bus
import BusService
import DaemonSettings
import Console
import Content
import Control
import DeviceReports
import Events
import Health
import History
import Hooks
import Listening
import MQTT
import Platform
import Ranging
import ServiceLifecycle
import Settings

extension DaemonCore {
    /// The parts that the configuration asks for, in their order of start. They end in the reverse order.
    func parts(_ configuration: DaemonConfiguration) -> [Part] {
        // Outputs start first, so that they end last and report the end of the others.
        var parts = brokerParts(configuration)
        parts += outputParts(configuration)
        parts += observerParts(configuration)
        parts += contentParts(configuration)
        parts.append(Part(Self.rangingPart) { [ranging] in ranging })
        parts += sourceParts(configuration)
        parts += controlParts(configuration)
        return parts
    }

    /// The connection to the broker, and the parts of a fleet's scanner.
    private func brokerParts(_ configuration: DaemonConfiguration) -> [Part] {
        guard let settings = configuration.mqtt else { return [] }
        let context = context
        var parts = [
            Part("mqtt", settings: settings) {
                MQTTService(
                    settings, hub: context.hub, relay: context.reportRelay, levels: context.levelMailbox,
                    clock: context.levels.clock, version: Program.version)
            }
        ]
        guard let fleet = settings.fleet else { return parts }
        if let beacon = fleet.beacon, let source = configuration.sources.first(where: \.canSendBesideListening) {
            parts.append(
                Part("fleet beacon", settings: FleetBeaconSettings(beacon: beacon, source: source)) {
                    FleetBeaconService(beacon, source: source, logger: context.logger)
                })
        }
        let topic = Topics(prefix: settings.topicPrefix, host: settings.host).levels
        parts.append(Part("fleet", settings: topic) { FleetLevelsService(topic: topic, levels: context.levels) })
        return parts
    }

    /// The parts for commands (hooks) and the message bus.
    private func outputParts(_ configuration: DaemonConfiguration) -> [Part] {
        let context = context
        var parts: [Part] = []
        if let settings = configuration.hooks {
            // Subscribed here, so that the hooks miss neither the first events of the sources nor, at a reload, what
            // happens while those with the old settings end.
            let subscription = context.hub.subscribe(keeping: 10_000)
            parts.append(
                Part("hooks", settings: settings) {
                    HookService(
                        settings, subscription: subscription, progress: context.hookProgress,
                        names: context.hub.names,
                        environment: Environment.variables, logger: context.logger,
                        dropped: { context.hub.noteDropped($0, by: "hooks") })
                })
        }
        if let settings = configuration.bus {
            parts.append(
                Part("dbus", settings: settings) {
                    BusService(settings, hub: context.hub, version: Program.version) {
                        guard let service = context.content.service else { return .noSite }
                        // The result is reported as an event.
                        Task { _ = try? await service.syncAll() }
                        return nil
                    }
                })
        }
        return parts
    }

    /// The parts that observe ranging over time.
    private func observerParts(_ configuration: DaemonConfiguration) -> [Part] {
        let context = context
        var parts: [Part] = []
        if var settings = configuration.history {
            settings.regions = configuration.ranging.settings.regions
            let settings = settings
            parts.append(
                Part("history", settings: settings) {
                    HistoryService(settings: settings, buffer: context.history, hub: context.hub)
                })
        }
        if let settings = configuration.health {
            let expected = configuration.ranging.beacons.onlyExpected
            parts.append(
                Part("health", settings: WatchedHealth(settings: settings, expected: expected)) {
                    self.healthService(settings, expected: expected)
                })
        }
        return parts
    }

    /// The content, and the reports to its site.
    private func contentParts(_ configuration: DaemonConfiguration) -> [Part] {
        guard let content = configuration.content else { return [] }
        let context = context
        let settings = content.fitting(descriptors: DescriptorLimit.current)
        var parts = [
            Part("content", settings: settings, isEssential: true) {
                try ContentService(
                    settings: settings, hub: context.hub, currentContent: context.content, logger: context.logger)
            }
        ]
        if let settings = configuration.reports {
            parts.append(
                Part("reports", settings: ReportingSettings(reports: settings, content: content)) {
                    DeviceReportService(
                        settings, content: content, hub: context.hub, observer: context.reports,
                        relay: context.reportRelay, version: Program.version)
                })
        }
        return parts
    }

    private func sourceParts(_ configuration: DaemonConfiguration) -> [Part] {
        let context = context
        let listed = sources(configuration)
        let numbers = SourceSpec.recordedAdapters(of: listed.map { $0.spec })
        return zip(listed, numbers).map { source, number in
            let (name, id, spec) = source
            let options = configuration.listening
            return Part(Self.partName(name), settings: SourceSettings(spec: spec, options: options)) {
                // A number that changes because another source was added is no reason to restart this one.
                var options = options
                options.recordedAs = number
                return SourceListener(
                    spec: spec, source: id, options: options, feed: context.feed, combined: context.combined,
                    adapters: context.adapters, tallies: context.tallies, hub: context.hub, receivers: self.receivers)
            }
        }
    }

    /// Two parts, so that a port in use does not affect the socket.
    private func controlParts(_ configuration: DaemonConfiguration) -> [Part] {
        let context = context
        let access = ControlAccess(core: self, hub: context.hub, ranging: ranging, currentContent: context.content)
        let control: [(name: String, settings: ControlSettings?)] = [
            ("control", configuration.control.locally), ("http", configuration.control.overNetwork),
        ]
        return control.compactMap { name, settings in
            guard let settings else { return nil }
            return Part(name, settings: settings) {
                ControlService(
                    access, settings: settings, more: self.routes(), refusalPage: Self.refusalPage,
                    logger: context.logger)
            }
        }
    }

    /// The routes that the daemon adds to the control API.
    func routes() -> [ControlRoute] {
        Self.metricsRoutes(context.metrics) + Self.pageRoutes(context.hub) + Self.historyRoutes(context.history)
            + sightingRoutes() + [Self.reloadRoute { await self.judgeAndReload() }]
    }

    /// The observers that receive all input and output of ranging for the daemon's lifetime.
    static func observers(_ configuration: DaemonConfiguration, _ context: DaemonContext) -> [any RangingObserver] {
        [
            context.history, context.reports, context.levels, context.health,
            SightingObserver(broadcast: context.broadcast),
        ]
    }

    private func healthService(_ settings: HealthSettings, expected: KnownBeacons) -> HealthService {
        let context = context
        return HealthService(
            settings, feed: context.health, hub: context.hub, expected: expected,
            sources: { [self] in
                sources(current).map { source in
                    (id: source.id, name: source.spec.description, isBlind: context.combined.isBlind(source.id))
                }
            },
            publish: { [self] readings in
                guard let mqtt = current.mqtt, mqtt.fleet != nil else { return }
                let topic = Topics(prefix: mqtt.topicPrefix, host: mqtt.host).healthReadings
                context.levels.tell(readings, topic: topic)
            })
    }

    private struct WatchedHealth: Equatable {
        var settings: HealthSettings
        var expected: KnownBeacons
    }

    private struct FleetBeaconSettings: Equatable {
        var beacon: BeaconID
        var source: SourceSpec
    }

    private struct ReportingSettings: Equatable {
        var reports: DeviceReportSettings
        var content: ContentSettings
    }

    private struct SourceSettings: Equatable {
        var spec: SourceSpec
        var options: ListeningOptions
    }
}

extension ContentSettings {
    /// The same settings with fewer parallel transfers if the limit on open descriptors is low. Each transfer needs
    /// some descriptors.
    fileprivate func fitting(descriptors: Int) -> ContentSettings {
        var settings = self
        settings.parallelManifests = min(parallelManifests, max(2, descriptors / 32))
        return settings
    }
}

extension BusError {
    fileprivate static let noSite = BusError(
        .init(rawValue: "org.beacond.Error.NoSite"), "no content site is configured: set content.base_url")
}
