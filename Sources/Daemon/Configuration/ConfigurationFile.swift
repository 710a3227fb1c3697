import YAMLText
import Yams

/// Checks a YAML configuration against the list of keys, with the line and column of everything that is wrong.
struct ConfigurationFile {
    private var reader = YAMLReader()

    /// Every problem of the text, and whether there is anything in it: a file of nothing but comments is an empty
    /// configuration.
    static func check(_ yaml: String) -> (issues: [DocumentError.Issue], isEmpty: Bool) {
        var file = ConfigurationFile()
        guard let root = file.reader.document(yaml) else { return (file.reader.issues, true) }
        file.group(root, "the configuration", prefix: "")
        return (file.reader.issues, false)
    }

    private mutating func group(_ node: Node, _ what: String, prefix: String) {
        let names = ConfigurationKey.all.map(\.name).filter { $0.hasPrefix(prefix) }
        let known = names.map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
        let values = reader.mapping(node, what, known: known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        for (name, value) in values ?? [:] {
            if let key = ConfigurationKey.all.first(where: { $0.name == prefix + name }) {
                setting(value, key)
            } else if value.scalar?.string.isEmpty != true {
                group(value, prefix + name, prefix: prefix + name + ".")
            }
        }
    }

    private mutating func setting(_ value: Node, _ key: ConfigurationKey) {
        let values = key.kind == .texts ? reader.sequence(value, key.name, atMost: 1000) : [value]
        for value in values {
            guard let text = reader.text(value, key.name) else { continue }
            if let problem = key.problem(with: text) { reader.complain(value, "\(key.name) \(problem)") }
        }
    }
}
