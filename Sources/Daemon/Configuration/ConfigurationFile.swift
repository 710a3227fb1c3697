import Yams

/// Checks a YAML configuration against the list of keys, with the line and column of everything that is wrong.
enum ConfigurationFile {
    /// Every problem of the text; empty when it is good.
    static func problems(in yaml: String, file: String) -> [String] {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch let error as YamlError {
            return [describe(error, file)]
        } catch {
            return ["\(file): \(error)"]
        }
        guard let root else { return [] }
        guard case .mapping(let mapping) = root else {
            return ["\(place(root, file)): must be a list of \"key: value\" lines"]
        }
        return check(mapping, prefix: "", file)
    }

    /// A file of nothing but comments is an empty configuration.
    static func isEmpty(_ yaml: String) -> Bool {
        (try? Yams.compose(yaml: yaml)) == nil
    }

    private static func check(_ mapping: Node.Mapping, prefix: String, _ file: String) -> [String] {
        var problems: [String] = []
        var seen: Set<String> = []
        for (keyNode, value) in mapping {
            let name = prefix + (keyNode.string ?? "?")
            let place = place(keyNode, file)
            if !seen.insert(name).inserted {
                problems.append("\(place): \(name) stands here twice; keep one")
            } else if let key = ConfigurationKey.all.first(where: { $0.name == name }) {
                problems += check(value, key, file)
            } else if ConfigurationKey.all.contains(where: { $0.name.hasPrefix(name + ".") }) {
                if case .mapping(let inner) = value {
                    problems += check(inner, prefix: name + ".", file)
                } else if !isEmpty(value) {
                    problems.append("\(place): \(name) is a group; its settings stand below it, indented")
                }
            } else {
                problems.append("\(place): \(name) is not a setting; \(suggestion(prefix: prefix))")
            }
        }
        return problems
    }

    private static func check(_ value: Node, _ key: ConfigurationKey, _ file: String) -> [String] {
        let values: [Node]
        switch (key.kind, value) {
        case (.texts, .sequence(let sequence)): values = Array(sequence)
        case (.texts, _):
            return ["\(place(value, file)): \(key.name) must be a list, for example [a, b]"]
        default: values = [value]
        }
        return values.compactMap { node in
            guard case .scalar(let scalar) = node else {
                return "\(place(node, file)): \(key.name) must be a single value"
            }
            return key.problem(with: scalar.string).map { "\(place(node, file)): \(key.name) \($0)" }
        }
    }

    private static func suggestion(prefix: String) -> String {
        let siblings = Set(
            ConfigurationKey.all.map(\.name).filter { $0.hasPrefix(prefix) }
                .map { $0.dropFirst(prefix.count).prefix { $0 != "." } })
        return "known here: " + siblings.sorted().joined(separator: ", ")
    }

    private static func isEmpty(_ node: Node) -> Bool {
        if case .scalar(let scalar) = node { scalar.string.isEmpty || scalar.string == "null" } else { false }
    }

    private static func place(_ node: Node, _ file: String) -> String {
        node.mark.map { "\(file):\($0.line):\($0.column)" } ?? file
    }

    private static func describe(_ error: YamlError, _ file: String) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(file):\(mark.line):\(mark.column): is no YAML here: \(problem)"
        default:
            "\(file): is no YAML: \(error)"
        }
    }
}
