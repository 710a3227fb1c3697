import Beacon
package import Content
import HCI
package import Listening
package import Platform
import Radio
package import Settings
import YAMLText

/// The daemon's settings, from the file, the environment and the command line. Each of these overrides the ones before
/// it.
package struct DaemonConfiguration: Sendable {
    package var sources: [SourceSpec]
    package var listening: ListeningOptions
    package var ranging: RangingConfiguration
    /// Nil if no site is configured: beacons are then ranked, and nothing is fetched.
    package var content: ContentSettings?
    /// How clients reach the control API.
    package var control: ControlSettings
    /// Nil if the daemon is not to be on the message bus.
    package var bus: BusServiceSettings?
    /// Nil if no command is to be run.
    package var hooks: HookSettings?
    /// Nil if there is no broker.
    package var mqtt: MQTTSettings?
    /// Nil if nothing is reported to the site.
    package var reports: DeviceReportSettings?
    /// Nil if no history is kept.
    package var history: HistorySettings?
    /// Nil if the health of beacons is not watched.
    package var health: HealthSettings?
    package var stateDirectory: String
    /// The folder of the content store, even if no site is configured.
    package var contentDirectory: String { stateDirectory + "/content" }
    package var cacheDirectory: String
    /// Settings that work but are not advisable, one per line: secrets that others can read, variables that are no
    /// setting.
    package var warnings: [String]
    /// Further notes for people, one per line.
    package var notes: [String]

    /// The state of the file that was read; nil if there was none.
    package private(set) var fileIdentity: FileIdentity?

    /// The file that is read if none is named.
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
    ///   - environment: variables by name; those that begin with `BEACOND_` are used.
    /// - Throws: `ConfigurationError` with everything that is wrong.
    package static func load(
        file: String?, environment: [String: String], overrides: Overrides = Overrides()
    ) async throws -> DaemonConfiguration {
        // Reading files blocks, and users' files can be large.
        try await OwnThread.run { try read(file: file, environment: environment, overrides: overrides) }
    }

    private static func read(
        file: String?, environment: [String: String], overrides: Overrides
    ) throws(ConfigurationError) -> DaemonConfiguration {
        let path = file ?? defaultFile
        // Taken before the text is read, so that a later comparison cannot miss a change.
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

    /// Reads the text of a configuration, and checks the files that it names.
    ///
    /// - Throws: `ConfigurationError` with everything that is wrong.
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
        let named = [
            (\SettingValues.directories.state, stateDirectory), (\SettingValues.directories.cache, cacheDirectory),
        ]
        for (path, folder) in named where FileFacts.isFileInstead(folder) {
            reader.complain(path, "\(folder) is no folder, and none can be made there", remedy: "name a folder")
        }
        content = reader.contentSettings(directory: stateDirectory + "/content")
        control = reader.controlSettings()
        bus = reader.busSettings()
        hooks = reader.hookSettings()
        mqtt = reader.mqttSettings(stateDirectory: stateDirectory)
        // Read even without a broker, so that mistakes are reported.
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
