import Yams

extension DocumentError.Issue {
    /// What the YAML parser has to say.
    init(_ error: any Error, in yaml: String) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            self.init(line: mark.line, column: mark.column, "this is not YAML: \(problem)")
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { "'\($0)'" }.joined(separator: ", ")
            self.init(line: context.mark.line, column: context.mark.column, "\(names) stands here more than once")
        case YamlError.reader(let problem, let offset, _, _):
            let line = yaml.prefix(offset ?? 0).count { $0.isNewline } + 1
            self.init(line: line, "this is not YAML: \(problem)")
        default:
            self.init("this is not YAML: \(error)")
        }
    }
}
