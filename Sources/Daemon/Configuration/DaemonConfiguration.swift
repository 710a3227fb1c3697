import Beacon
public import BusService
import Configuration
public import Content
public import Control
import HCI
public import History
public import Hooks
public import Listening
public import MQTT
import Radio
public import SiteSettings
import YAMLText

/// What the daemon does, put together from the file, the environment and the command line, in rising order.
public struct DaemonConfiguration: Sendable {
    public var sources: [SourceSpec]
    public var listening: ListeningOptions
    public var ranging: SiteRanging
    /// Nil where no site is configured: beacons are then ranked, and nothing is fetched.
    public var content: ContentSettings?
    /// Where the daemon can be asked.
    public var control: ControlSettings
    /// Nil where the daemon is not to be on the bus.
    public var bus: BusServiceSettings?
    /// Nil where no command is to be run.
    public var hooks: HookSettings?
    /// Nil where no broker is told.
    public var mqtt: MQTTSettings?
    /// Nil where no history is kept.
    public var history: HistorySettings?
    public var stateDirectory: String
    /// Where the content store is, also where no site is configured.
    public var contentDirectory: String { stateDirectory + "/content" }
    public var cacheDirectory: String

    /// The file that is read where none is named.
    public static let defaultFile = SiteRanging.defaultFile

    /// What the command line can override.
    public struct Overrides: Sendable {
        public var sources: [String] = []
        public var baseURL: String?
        public var stateDirectory: String?
        public var socket: String?

        public init() {}

        fileprivate var values: [AbsoluteConfigKey: ConfigValue] {
            var values: [AbsoluteConfigKey: ConfigValue] = [:]
            if !sources.isEmpty { values[["sources"]] = ConfigValue(.stringArray(sources), isSecret: false) }
            if let baseURL { values[["content", "base_url"]] = ConfigValue(.string(baseURL), isSecret: false) }
            if let stateDirectory {
                values[["directories", "state"]] = ConfigValue(.string(stateDirectory), isSecret: false)
            }
            if let socket { values[["control", "socket"]] = ConfigValue(.string(socket), isSecret: false) }
            return values
        }
    }

    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - file: nil for the default file, which may be missing.
    ///   - environment: variables by name; those that begin with `BEACOND_` count.
    /// Throws `ConfigurationError` with everything that is wrong.
    public static func load(
        file: String?, environment: [String: String], overrides: Overrides = Overrides()
    ) async throws -> DaemonConfiguration {
        let path = file ?? defaultFile
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "the command line", values: overrides.values),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "beacond"),
        ]
        let file = ConfigurationFile(
            try text(of: path, mayBeMissing: file == nil) ?? "", environment: environment)
        if !file.issues.isEmpty {
            throw ConfigurationError(DocumentError(file: path, issues: file.issues).lines + file.problems)
        }
        providers.append(InMemoryProvider(name: "\(path)", values: file.values))
        var values = Values(reader: ConfigReader(providers: providers), environment: environment, file: path)
        values.problems = file.problems
        return try DaemonConfiguration(values, ranging: file.ranging)
    }

    static func text(of path: String, mayBeMissing: Bool) throws(ConfigurationError) -> String? {
        do {
            return try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: mayBeMissing)
        } catch {
            throw ConfigurationError(error.lines)
        }
    }

    private init(_ values: Values, ranging: SiteRanging) throws {
        var values = values
        self.ranging = ranging
        let sources = values.texts(.sources) ?? ["auto"]
        self.sources = sources.compactMap { text in
            do {
                return try SourceSpec(text)
            } catch {
                values.problems.append("\(values.place(.sources)): \(error)")
                return nil
            }
        }
        listening = ListeningOptions()
        let profile = values.text(.scanProfile).flatMap(ScanProfile.init) ?? .dedicated
        listening.scan = profile.parameters(isActive: values.flag(.activeScan) ?? false)
        if let silence = values.number(.silence) { listening.silence.expiry = silence }
        for text in values.texts(.referenceBeacons) ?? [] {
            if let beacon = BeaconID(text) {
                listening.silence.references.insert(beacon)
            } else {
                values.problems.append(
                    "\(values.place(.referenceBeacons)): \"\(text)\" is no beacon, as in "
                        + "636F3F8F-6491-4BEE-95F7-D8CC64A863B5/1/7")
            }
        }

        stateDirectory = values.text(.stateDirectory) ?? "/var/lib/beacond"
        cacheDirectory = values.text(.cacheDirectory) ?? "/var/cache/beacond"
        content = ContentSettings(&values, directory: stateDirectory + "/content")
        control = ControlSettings(&values)
        bus = BusServiceSettings(&values)
        hooks = HookSettings(&values)
        mqtt = MQTTSettings(&values, stateDirectory: stateDirectory)
        history = HistorySettings(&values, stateDirectory: stateDirectory)
        guard values.problems.isEmpty else { throw ConfigurationError(values.problems) }
    }
}

/// Typed values out of all providers, with every problem noted and none fatal, so that all are told at once.
struct Values {
    let reader: ConfigReader
    let environment: [String: String]
    let file: String
    var problems: [String] = []

    /// What a message calls the origin of a setting.
    func place(_ key: ConfigurationKey) -> String {
        environment[key.variable] != nil ? key.variable : key.name
    }

    mutating func text(_ key: ConfigurationKey) -> String? {
        guard let text = reader.string(forKey: ConfigKey(key.name)) else { return nil }
        guard let problem = key.problem(with: text) else { return text }
        problems.append("\(place(key)): \(problem)")
        return nil
    }

    mutating func texts(_ key: ConfigurationKey) -> [String]? {
        reader.stringArray(forKey: ConfigKey(key.name))
    }

    mutating func flag(_ key: ConfigurationKey) -> Bool? {
        text(key).flatMap(ConfigurationKey.flag)
    }

    mutating func number(_ key: ConfigurationKey) -> Double? {
        text(key).flatMap(Double.init)
    }

    mutating func integer(_ key: ConfigurationKey) -> Int? {
        text(key).flatMap { Int($0) }
    }
}
