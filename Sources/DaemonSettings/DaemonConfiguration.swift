import Beacon
package import Content
import HCI
package import Listening
import Platform
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
    /// Nil where no broker is told.
    package var mqtt: MQTTSettings?
    /// Nil where no history is kept.
    package var history: HistorySettings?
    package var stateDirectory: String
    /// Where the content store is, also where no site is configured.
    package var contentDirectory: String { stateDirectory + "/content" }
    package var cacheDirectory: String
    /// What works and is no good idea, a line each: secrets that others can read, variables that are no setting.
    package var warnings: [String]
    /// What else people want to know about it, a line each.
    package var notes: [String]

    /// The file that is read where none is named.
    package static let defaultFile = RangingConfiguration.defaultFile

    /// What the command line can override.
    package struct Overrides: Sendable {
        package var sources: [String] = []
        package var baseURL: String?
        package var stateDirectory: String?
        package var socket: String?

        package init() {}

        fileprivate var settings: [ConfigurationKey: WrittenSetting] {
            var settings: [ConfigurationKey: WrittenSetting] = [:]
            if !sources.isEmpty { settings[.sources] = WrittenSetting(sources, at: .option("--source")) }
            let others = [
                (ConfigurationKey.baseURL, "--base-url", baseURL), (.stateDirectory, "--state-dir", stateDirectory),
                (.controlSocket, "--socket", socket),
            ]
            for case (let key, let option, let text?) in others {
                settings[key] = WrittenSetting([text], at: .option(option))
            }
            return settings
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
        let text: String?
        do {
            text = try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: file == nil)
        } catch {
            throw ConfigurationError(error.lines)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let written = ConfigurationFile(text ?? "", folder: folder, environment: environment)
        var problems = written.problems
        var settings = written.settings
        for (key, setting) in variables(environment) + Array(overrides.settings) {
            let problem = setting.entries.lazy.compactMap { key.problem(with: $0.text) }.first
            if let problem {
                problems.append("\(setting.place.name ?? key.name) \(problem)")
            } else {
                settings[key] = setting
            }
        }
        var values = Values(
            settings, environment: environment, file: path, issues: written.issues, problems: problems)
        let known = ConfigurationKey.all.map(\.variable)
        for (variable, meant) in BeacondVariables.unknown(in: environment, known: known) {
            if let meant {
                values.complain(of: variable, "there is no such setting; did you mean \(meant)?")
            } else {
                values.warn(of: variable, "there is no such setting, so it does nothing")
            }
        }
        let configuration = DaemonConfiguration(&values, ranging: written.ranging, folder: folder)
        guard values.problems.isEmpty else { throw ConfigurationError(values.problems) }
        return configuration
    }

    /// What the environment says, but for ranging.
    private static func variables(_ environment: [String: String]) -> [(ConfigurationKey, WrittenSetting)] {
        ConfigurationKey.all.compactMap { key in
            guard key.kind != .ranging, let text = environment[key.variable] else { return nil }
            return (key, WrittenSetting(text, of: key))
        }
    }

    private init(_ values: inout Values, ranging: RangingConfiguration, folder: String) {
        self.ranging = ranging
        sources = values.sources(folder: folder)
        listening = ListeningOptions()
        let profile = values.text(.scanProfile).flatMap(ScanProfile.init) ?? .dedicated
        listening.scan = profile.parameters(isActive: values.flag(.activeScan) ?? false)
        if let silence = values.number(.silence) { listening.silence.expiry = silence }
        let references: [BeaconID] = values.each(.referenceBeacons) { try Self.beacon($0.text) }
        listening.silence.references = Set(references)

        let folders = StandardFolders(values.environment)
        stateDirectory = values.text(.stateDirectory) ?? folders.state
        cacheDirectory = values.text(.cacheDirectory) ?? folders.cache
        notes = values.text(.stateDirectory) == nil ? [folders.note].compactMap { $0 } : []
        content = ContentSettings(&values, directory: stateDirectory + "/content")
        control = ControlSettings(&values)
        bus = BusServiceSettings(&values)
        hooks = HookSettings(&values)
        mqtt = MQTTSettings(&values, stateDirectory: stateDirectory)
        history = HistorySettings(&values, stateDirectory: stateDirectory)
        warnings = values.warnings
    }

    /// A beacon in a list of a setting.
    static func beacon(_ text: String) throws(ContentError) -> BeaconID {
        guard let beacon = BeaconID(text) else {
            throw ContentError(
                code: .settings, place: "\"\(text)\"", cause: "it is no beacon",
                remedy: "write it like 7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/2")
        }
        return beacon
    }
}

extension SettingPlace {
    /// The variable or the option; nil for the file.
    fileprivate var name: String? {
        switch self {
        case .file: nil
        case .variable(let name), .option(let name): name
        }
    }
}
