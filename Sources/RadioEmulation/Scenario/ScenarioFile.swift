import Glibc
import Yams

extension Scenario {
    /// Reads a scenario from YAML.
    ///
    /// - Parameter file: what errors call it.
    /// - Throws: every problem that was found, with its line and column.
    public init(yaml: String, file: String) throws(ScenarioError) {
        var reader = YAMLReader()
        let scenario: Scenario?
        do {
            scenario = reader.scenario(try Yams.compose(yaml: yaml))
        } catch {
            throw ScenarioError(file: file, issues: [.init(error, in: yaml)])
        }
        guard let scenario, reader.issues.isEmpty else {
            throw ScenarioError(file: file, issues: reader.issues)
        }
        self = scenario
    }

    /// Reads a scenario from a YAML file of at most 4 MiB.
    ///
    /// - Throws: why the file cannot be read, or every problem in it.
    public init(path: String) throws(ScenarioError) {
        func problem(_ message: String) -> ScenarioError {
            ScenarioError(file: path, issues: [.init(message)])
        }
        guard let file = fopen(path, "re") else {
            throw problem("cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while octets.count <= Self.largestFile {
            let count = fread(&buffer, 1, buffer.count, file)
            octets += buffer[..<count]
            if count < buffer.count { break }
        }
        guard ferror(file) == 0 else { throw problem("cannot be read: \(String(cString: strerror(errno)))") }
        guard octets.count <= Self.largestFile else { throw problem("is larger than 4 MiB: no scenario is") }
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw problem("is not text in UTF-8: a scenario is a YAML file")
        }
        try self.init(yaml: text, file: path)
    }

    private static let largestFile = 4 << 20
}

extension ScenarioError.Issue {
    /// What the YAML parser has to say.
    fileprivate init(_ error: any Error, in yaml: String) {
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
