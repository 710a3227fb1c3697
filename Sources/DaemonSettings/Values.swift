import Settings
import YAMLText

/// Typed values of all settings, with every mistake noted and none fatal, so that all are told at once.
struct Values {
    /// What holds, of the file, the variables and the options. Each entry can be what its key allows.
    let settings: [ConfigurationKey: WrittenSetting]
    let environment: [String: String]
    /// The configuration's path.
    let file: String
    private var issues: [DocumentError.Issue] = []
    private var others: [String] = []
    /// What works and is no good idea, a line each.
    private(set) var warnings: [String] = []

    init(
        _ settings: [ConfigurationKey: WrittenSetting], environment: [String: String], file: String,
        issues: [DocumentError.Issue] = [], problems: [String] = []
    ) {
        self.settings = settings
        self.environment = environment
        self.file = file
        self.issues = issues
        others = problems
    }

    /// A line for each mistake: those of the file in its order, then the others.
    var problems: [String] {
        DocumentError(file: file, issues: issues).lines + others
    }

    // MARK: - Notes

    /// Notes what is wrong with a setting, or with one of its entries.
    mutating func complain(_ key: ConfigurationKey, at place: SettingPlace? = nil, _ message: String) {
        switch place ?? settings[key]?.place {
        case .file(let mark):
            issues.append(.init(line: mark.line, column: mark.column, "\(key.name): \(message)"))
        case .variable(let name), .option(let name): others.append("\(name): \(message)")
        case nil: others.append("\(key.name): \(message)")
        }
    }

    /// Notes what is wrong with something that is no setting: a variable, a credential.
    mutating func complain(of place: String, _ message: String) {
        others.append("\(place): \(message)")
    }

    /// Notes what is no good idea.
    mutating func warn(_ key: ConfigurationKey, _ message: String) {
        switch settings[key]?.place {
        case .file(let mark): warnings.append("\(file):\(mark.line):\(mark.column): \(key.name): \(message)")
        case .variable(let name), .option(let name): warn(of: name, message)
        case nil: warn(of: key.name, message)
        }
    }

    mutating func warn(of place: String, _ message: String) {
        warnings.append("\(place): \(message)")
    }

    // MARK: - Values

    func text(_ key: ConfigurationKey) -> String? { settings[key]?.entries.first?.text }

    func texts(_ key: ConfigurationKey) -> [String]? { settings[key]?.entries.map(\.text) }

    func flag(_ key: ConfigurationKey) -> Bool? { text(key).flatMap(ConfigurationKey.flag) }

    func number(_ key: ConfigurationKey) -> Double? { text(key).flatMap(Double.init) }

    func integer(_ key: ConfigurationKey) -> Int? { text(key).flatMap { Int($0) } }

    /// What `read` makes of a setting; nil, with the problem noted, where it throws.
    mutating func reading<Value>(
        _ key: ConfigurationKey, at place: SettingPlace? = nil, _ read: () throws -> Value
    ) -> Value? {
        do {
            return try read()
        } catch let error as DocumentError {
            for line in error.lines { complain(key, at: place, line) }
        } catch {
            complain(key, at: place, "\(error)")
        }
        return nil
    }

    /// The same for every entry of a list; empty where the setting is missing.
    mutating func each<Value>(_ key: ConfigurationKey, _ read: (WrittenSetting.Entry) throws -> Value) -> [Value] {
        (settings[key]?.entries ?? []).compactMap { entry in reading(key, at: entry.place) { try read(entry) } }
    }
}
