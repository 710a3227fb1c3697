import Platform
import YAMLText

/// Reads settings from the file, the variables and the options, each of which overrides the one before. What is wrong
/// is noted with its place, and reading goes on, so that people see all of it at once.
package struct SettingsReader {
    package internal(set) var values = SettingValues()
    package let environment: [String: String]
    /// The configuration's path.
    package let file: String
    var yaml = YAMLReader()
    /// What is wrong besides what `yaml` has noted.
    var mistakes: [SettingMistake] = []
    /// What works and is not advisable, a line each.
    package internal(set) var warnings: [String] = []
    /// Where settings were written, and where each entry of a list was.
    var places: [PartialKeyPath<SettingValues>: (whole: SettingPlace, entries: [SettingPlace])] = [:]

    /// - Parameters:
    ///   - file: the path, for messages. Relative paths in the file are meant from its folder.
    ///   - environment: variables by name; those that begin with `BEACOND_` count.
    ///   - options: what the command line overrides.
    ///   - scope: which settings are read. What else the file has is then for others to judge.
    package init(
        _ text: String, file: String, environment: [String: String], options: [Setting.Option: [String]] = [:],
        scope: Scope = .all
    ) {
        self.file = file
        self.environment = environment
        if let root = yaml.document(text) {
            switch scope {
            case .all: group(root, "the configuration", prefix: "")
            case .ranging: rangingGroups(of: root)
            case .beacons: knownBeacons(of: root)
            }
        }
        let settings = scope.settings
        for setting in settings {
            guard let text = environment[setting.variable] else { continue }
            if case .table = setting.value {
                note(
                    at: .variable(setting.variable), setting.name, "only the file can hold this",
                    remedy: "write \(setting.name) in \(file), and unset the variable")
            } else {
                set(setting, text, of: setting.variable)
            }
        }
        for setting in settings {
            guard let option = setting.option, let texts = options[option] else { continue }
            set(setting, texts, at: .option("--\(option.name)"))
        }
        for (less, more) in Setting.orders { order(less, more) }
        checkVariables(known: settings.map(\.variable), isStrict: scope == .ranging)
    }

    /// Which settings are read.
    package enum Scope: Hashable, Sendable {
        case all
        /// Those about ranging.
        case ranging
        /// `beacons` of the file, and nothing else.
        case beacons

        var settings: [Setting] {
            switch self {
            case .all: Setting.all
            case .ranging: Setting.all.filter(\.isAboutRanging)
            case .beacons: []
            }
        }
    }

    // MARK: - The file

    private mutating func rangingGroups(of root: Node) {
        guard let mapping = root.mapping else { return }
        for (key, value) in mapping {
            if let name = key.scalar?.string, Setting.rangingGroups.contains(name) { entry(value, name) }
        }
    }

    private mutating func group(_ node: Node, _ what: String, prefix: String) {
        guard !node.isEmptyScalar else { return }
        var known: [String] = []
        for setting in Setting.all where setting.name.hasPrefix(prefix) {
            let key = String(setting.name.dropFirst(prefix.count).prefix { $0 != "." })
            if !known.contains(key) { known.append(key) }
        }
        for (key, value) in yaml.mapping(node, what, known: known) ?? [:] { entry(value, prefix + key) }
    }

    private mutating func entry(_ node: Node, _ name: String) {
        guard let setting = Setting.all.first(where: { $0.name == name }) else {
            return group(node, name, prefix: name + ".")
        }
        switch setting.value {
        case .table:
            if !node.isEmptyScalar { table(name, node) }
        case .texts:
            let nodes = yaml.sequence(node, name, atMost: 1000)
            if let mark = node.mark, node.sequence != nil { set(setting, nodes, at: mark) }
        default: set(setting, node)
        }
    }

    private mutating func set(_ setting: Setting, _ node: Node) {
        guard var text = yaml.text(node, setting.name), let path = setting.path else { return }
        if case .file = setting.value, !text.isEmpty, !PathText.isAbsolute(text) { text = folder + text }
        if let problem = setting.set(text, in: &values) {
            note(at: node.mark.map { .file($0) }, setting.name, problem, isAboutValue: true)
        } else if let mark = node.mark {
            places[path] = (.file(mark), [.file(mark)])
        }
    }

    private mutating func set(_ setting: Setting, _ nodes: [Node], at mark: Mark) {
        guard case .texts(let path) = setting.value else { return }
        var entries: [(text: String, place: SettingPlace)] = []
        for node in nodes {
            guard let text = yaml.text(node, setting.name) else { continue }
            if text.isEmpty {
                note(at: node.mark.map { .file($0) }, setting.name, "is empty", isAboutValue: true)
            } else if let mark = node.mark {
                entries.append((text, .file(mark)))
            }
        }
        // Where all are wrong, that is said once.
        guard !entries.isEmpty || nodes.isEmpty else { return }
        values[keyPath: path] = entries.map(\.text)
        places[path] = (.file(mark), entries.map(\.place))
    }

    /// The configuration's folder, with a slash behind it; empty where the path has none.
    package var folder: String { PathText.beforeName(in: file) }

    // MARK: - Variables and options

    private mutating func set(_ setting: Setting, _ text: String, of variable: String) {
        var texts = [text]
        if case .texts = setting.value {
            // By octets: a path may begin and end with signs that Swift joins with the comma.
            texts = text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)).trimmed }
        }
        set(setting, texts, at: .variable(variable))
    }

    private mutating func set(_ setting: Setting, _ texts: [String], at place: SettingPlace) {
        guard let path = setting.path else { return }
        var new = values
        if case .texts(let path) = setting.value { new[keyPath: path] = [] }
        for text in texts {
            guard let problem = setting.set(text, in: &new) else { continue }
            note(at: place, setting.name, problem, isAboutValue: true)
            return
        }
        values = new
        places[path] = (place, texts.map { _ in place })
    }

    private mutating func checkVariables(known: [String], isStrict: Bool) {
        for (variable, meant) in BeacondVariables.unknown(in: environment, known: known) {
            if let meant {
                note(at: .variable(variable), nil, "there is no such setting", remedy: "did you mean \(meant)?")
            } else if !isStrict {
                warn(of: variable, "there is no such setting, so it does nothing")
            }
        }
    }

    // MARK: - Orders

    private mutating func order(_ less: any Setting.Path<Double>, _ more: any Setting.Path<Double>) {
        let (lower, upper) = (values[keyPath: less], values[keyPath: more])
        guard upper < lower else { return }
        let message =
            "\(Setting.name(of: more)) must not be less than \(Setting.name(of: less)): \(upper) is less than \(lower)"
        let written = [places[more]?.whole, places[less]?.whole].compactMap { $0 }
        // A variable overrides the file, so it is at fault.
        note(at: written.first { $0.name != nil } ?? written.first, nil, message)
    }
}

extension Setting {
    /// What a place of the values is called; for messages.
    static func name(of path: PartialKeyPath<SettingValues>) -> String {
        all.first { $0.path == path }?.name ?? "the configuration"
    }
}

extension Node {
    /// A key with nothing after it.
    var isEmptyScalar: Bool { scalar?.string.isEmpty == true }
}

extension String {
    /// Without blanks at its ends.
    var trimmed: String {
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
        return String(self[..<end].drop(while: \.isWhitespace))
    }
}
