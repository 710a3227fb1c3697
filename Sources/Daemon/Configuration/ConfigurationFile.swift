import Configuration
import SiteSettings
import Yams
import YAMLText

/// A YAML configuration read against the list of keys, with the line and column of everything that is wrong.
struct ConfigurationFile {
    private var reader = YAMLReader()
    /// The single values and plain lists.
    private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
    private(set) var ranging = SiteRanging()
    /// What is wrong with variables about ranging.
    private(set) var problems: [String] = []
    private var groups: [String: Node] = [:]

    /// What is wrong in the text.
    var issues: [DocumentError.Issue] { reader.issues }

    /// - Parameter environment: variables by name. Only those about ranging are taken here.
    init(_ yaml: String, environment: [String: String]) {
        if let root = reader.document(yaml) {
            group(root, "the configuration", prefix: "")
        }
        ranging = SiteRanging(groups, environment: environment, yaml: &reader, problems: &problems)
    }

    private mutating func group(_ node: Node, _ what: String, prefix: String) {
        let names = ConfigurationKey.all.map(\.name).filter { $0.hasPrefix(prefix) }
        let known = names.map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
        let values = reader.mapping(node, what, known: known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        for (name, value) in values ?? [:] {
            if SiteRanging.groups.contains(prefix + name) {
                groups[name] = value
            } else if let key = ConfigurationKey.all.first(where: { $0.name == prefix + name }) {
                setting(value, key)
            } else if value.scalar?.string.isEmpty != true {
                group(value, prefix + name, prefix: prefix + name + ".")
            }
        }
    }

    private mutating func setting(_ value: Node, _ key: ConfigurationKey) {
        let nodes = key.kind == .texts ? reader.sequence(value, key.name, atMost: 1000) : [value]
        var texts: [String] = []
        for node in nodes {
            guard let text = reader.text(node, key.name) else { continue }
            if let problem = key.problem(with: text) { reader.complain(node, "\(key.name) \(problem)") }
            texts.append(text)
        }
        let content: ConfigContent? = key.kind == .texts ? .stringArray(texts) : texts.first.map { .string($0) }
        if let content {
            values[AbsoluteConfigKey(key.name.split(separator: ".").map(String.init))] =
                ConfigValue(content, isSecret: false)
        }
    }
}
