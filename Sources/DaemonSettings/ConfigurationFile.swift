import Settings
import YAMLText

/// A YAML configuration read against the list of keys, with the line and column of everything that is wrong.
struct ConfigurationFile {
    private var reader = YAMLReader()
    /// The single values and plain lists, of which each can be what its key allows.
    private(set) var settings: [ConfigurationKey: WrittenSetting] = [:]
    private(set) var ranging = RangingConfiguration()
    /// What is wrong with variables about ranging.
    private(set) var problems: [String] = []
    private var groups: [String: Node] = [:]
    private let folder: String

    /// What is wrong in the text.
    var issues: [DocumentError.Issue] { reader.issues }

    /// - Parameters:
    ///   - folder: where the file is, which relative paths in it are meant from; ends with a slash, or is empty.
    ///   - environment: variables by name. Only those about ranging are taken here.
    init(_ yaml: String, folder: String, environment: [String: String]) {
        self.folder = folder
        if let root = reader.document(yaml) {
            group(root, "the configuration", prefix: "")
        }
        ranging = RangingConfiguration(groups, environment: environment, yaml: &reader, problems: &problems)
    }

    private mutating func group(_ node: Node, _ what: String, prefix: String) {
        if prefix.isEmpty, node.scalar?.string.isEmpty == true { return }
        let names = ConfigurationKey.all.map(\.name).filter { $0.hasPrefix(prefix) }
        let known = names.map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
        let values = reader.mapping(node, what, known: known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        for (name, value) in values ?? [:] {
            if RangingConfiguration.groups.contains(prefix + name) {
                groups[name] = value
            } else if let key = ConfigurationKey.all.first(where: { $0.name == prefix + name }) {
                setting(value, key)
            } else if value.scalar?.string.isEmpty != true {
                group(value, prefix + name, prefix: prefix + name + ".")
            }
        }
    }

    private mutating func setting(_ value: Node, _ key: ConfigurationKey) {
        let isList = key.kind == .texts
        let nodes = isList ? reader.sequence(value, key.name, atMost: 1000) : [value]
        if isList, value.sequence == nil { return }
        var entries: [WrittenSetting.Entry] = []
        for node in nodes {
            guard let text = reader.text(node, key.name) else { continue }
            if let problem = key.problem(with: text) {
                reader.complain(node, "\(key.name) \(problem)")
            } else if let mark = node.mark {
                entries.append(.init(text: key.kind.isPath ? path(text) : text, place: .file(mark)))
            }
        }
        guard let mark = value.mark, !entries.isEmpty || nodes.isEmpty else { return }
        settings[key] = WrittenSetting(entries, at: .file(mark))
    }

    private func path(_ text: String) -> String {
        text.hasPrefix("/") ? text : folder + text
    }
}
