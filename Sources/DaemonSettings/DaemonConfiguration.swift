import Beacon
package import Content
import HCI
package import Listening
package import Platform
import Radio
package import Settings
import YAMLText

/// What the daemon does, put together from the file, the environment and the command line, in rising order.
package struct DaemonConfiguration: Sendable {
    package var sources: [SourceSpec]
    package var listening: ListeningOptions
    package var ranging: RangingConfiguration
    /// Nil where no site is configured: beacons are then ranked, and nothing is fetched.
    package var content: ContentSettings?
    /// Where the daemon can be asked.
    package var control: ControlSettings
    /// Nil where the daemon is not to be on the bus.
    package var bus: BusServiceSettings?
    /// Nil where no command is to be run.
    package var hooks: HookSettings?
    /// Nil where there is no broker.
    package var mqtt: MQTTSettings?
    /// Nil where nothing is reported to the site.
    package var reports: DeviceReportSettings?
    /// Nil where no history is kept.
    package var history: HistorySettings?
    /// Nil where the health of beacons is not watched.
    package var health: HealthSettings?
    package var stateDirectory: String
    /// Where the content store is, also where no site is configured.
    package var contentDirectory: String { stateDirectory + "/content" }
    package var cacheDirectory: String
    /// What works and is not advisable, a line each: secrets that others can read, variables that are no setting.
    package var warnings: [String]
    /// What else people want to know about it, a line each.
    package var notes: [String]

    /// The state of the file that was read; nil where there was none.
    package private(set) var fileIdentity: FileIdentity?

    /// The file that is read where none is named.
    package static let defaultFile = RangingConfiguration.defaultFile

    /// What the command line can override.
    package struct Overrides: Sendable {
        package var sources: [String] = []
        package var baseURL: String?
        package var stateDirectory: String?
        package var socket: String?

        package init() {}

        fileprivate var options: [Setting.Option: [String]] {
            let others: [Setting.Option: String?] = [
                .baseURL: baseURL, .stateDirectory: stateDirectory, .socket: socket,
            ]
            var options = others.compactMapValues { $0.map { [$0] } }
            if !sources.isEmpty { options[.source] = sources }
            return options
        }
    }

    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - file: nil for the default file, which may be missing.
    ///   - environment: variables by name; those that begin with `BEACOND_` count.
    /// Throws `ConfigurationError` with everything that is wrong.
    package static func load(
        file: String?, environment: [String: String], overrides: Overrides = Overrides()
    ) async throws -> DaemonConfiguration {
        // Files are read, and those of people can be large.
        try await OwnThread.run { try read(file: file, environment: environment, overrides: overrides) }
    }

    private static func read(
        file: String?, environment: [String: String], overrides: Overrides
    ) throws(ConfigurationError) -> DaemonConfiguration {
        let path = file ?? defaultFile
        // Before the text: who compares later must not miss a change.
        let identity = FileIdentity(of: path)
        let text: String?
        do {
            text = try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: file == nil)
        } catch {
            throw ConfigurationError(error.mistakes)
        }
        var configuration = try DaemonConfiguration(
            text ?? "", file: path, environment: environment, overrides: overrides)
        configuration.fileIdentity = identity
        return configuration
    }

    /// Reads the text of a configuration. The files that it names are looked at.
    ///
    /// Throws `ConfigurationError` with everything that is wrong.
    package init(
        _ text: String, file: String, environment: [String: String], overrides: Overrides = Overrides()
    ) throws(ConfigurationError) {
        var reader = SettingsReader(text, file: file, environment: environment, options: overrides.options)
        self.init(&reader)
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
    }

    private init(_ reader: inout SettingsReader) {
        let values = reader.values
        ranging = values.ranging
        sources = reader.sources()
        listening = ListeningOptions()
        listening.scan = values.scan.profile.parameters(isActive: values.scan.isActive)
        listening.silence.expiry = values.scan.silence
        listening.silence.references = Set(reader.beacons(\.scan.referenceBeacons))

        let folders = StandardFolders(reader.environment)
        stateDirectory = StandardFolders.plain(values.directories.state ?? folders.state)
        cacheDirectory = StandardFolders.plain(values.directories.cache ?? folders.cache)
        notes = values.directories.state == nil ? [folders.note].compactMap { $0 } : []
        content = reader.contentSettings(directory: stateDirectory + "/content")
        control = reader.controlSettings()
        bus = reader.busSettings()
        hooks = reader.hookSettings()
        mqtt = reader.mqttSettings(stateDirectory: stateDirectory)
        // Also without a broker: what is wrong is told.
        let place = reader.fleetPlace()
        if place?.beacon != nil, !sources.contains(where: \.canSendBesideListening) {
            reader.complain(
                \.fleet.isBeacon, "no source can send while it listens", remedy: "use hci0 or bluez:hci0 in sources")
        }
        mqtt?.fleet = place
        reports = reader.deviceReportSettings(mqtt: mqtt)
        history = reader.historySettings(stateDirectory: stateDirectory)
        health = reader.healthSettings(stateDirectory: stateDirectory)
        warnings = reader.warnings
    }
}
