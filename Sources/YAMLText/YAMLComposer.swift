internal import CLibYAML

/// Builds a tree from libyaml's events. For any text, time and memory are proportional to its size: the depth and the
/// size of aliases are limited, and keys are single values, so that comparing them is cheap.
struct YAMLComposer {
    private(set) var issues: [DocumentError.Issue] = []

    /// The maximum depth of nesting. No document here has more than six levels.
    private static let deepest = 64
    private static let depth = "this is nested too deep: at most \(deepest) levels are read"
    /// How many values all aliases together may stand for.
    private static let mostOfAliases = 10_000

    private var open: [Collection] = []
    private var anchors: [String: Anchored] = [:]
    private var ofAliases = 0
    private var root: Node?

    /// A list or a mapping that has not ended yet.
    private struct Collection {
        var mark: Mark
        var isMapping: Bool
        var anchor: String?
        /// The number of values in it, including itself, and the number of their levels.
        var weight = 1
        var height = 1
        var nodes: [Node] = []
        var pairs: [(key: Node, value: Node)] = []
        /// The line of each key.
        var lines: [String: Int] = [:]
        var place = Place.key
    }

    /// What comes next in a mapping.
    private enum Place {
        case key
        case value(of: Node)
        /// The key was invalid.
        case ignoredValue
    }

    /// A value that aliases can stand for.
    private struct Anchored {
        var node: Node
        var weight: Int
        var height: Int
    }

    /// The document of a text; nil if it is empty or not YAML, which is then recorded as an issue.
    mutating func compose(_ yaml: String) -> Node? {
        let text = Array(yaml.utf8)
        return text.withUnsafeBufferPointer { text in
            var parser = yaml_parser_t()
            guard yaml_parser_initialize(&parser) == 1 else { return nil }
            defer { yaml_parser_delete(&parser) }
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, text.baseAddress, text.count)
            var documents = 0
            while true {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) == 1 else {
                    complain(parser, text)
                    return nil
                }
                defer { yaml_event_delete(&event) }
                if event.type == YAML_STREAM_END_EVENT { return root }
                if event.type == YAML_DOCUMENT_START_EVENT { documents += 1 }
                if documents > 1 {
                    complain(Mark(event.start_mark), "this is not YAML: there is a second document")
                    return nil
                }
                guard take(event) else { return nil }
            }
        }
    }

    /// Returns false if reading cannot continue.
    private mutating func take(_ event: yaml_event_t) -> Bool {
        let mark = Mark(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let string = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length)), as: UTF8.self)
            let node = Node(string, at: mark, isPlain: scalar.plain_implicit != 0)
            note(node, as: Self.text(scalar.anchor), weight: 1, height: 0)
            add(node, at: mark)
        case YAML_ALIAS_EVENT:
            return alias(Self.text(event.data.alias.anchor) ?? "", at: mark)
        case YAML_SEQUENCE_START_EVENT:
            return begin(Collection(mark: mark, isMapping: false, anchor: Self.text(event.data.sequence_start.anchor)))
        case YAML_MAPPING_START_EVENT:
            return begin(Collection(mark: mark, isMapping: true, anchor: Self.text(event.data.mapping_start.anchor)))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            guard let done = open.popLast() else { return false }
            let node = done.isMapping ? Node(done.pairs, at: done.mark) : Node(done.nodes, at: done.mark)
            note(node, as: done.anchor, weight: done.weight, height: done.height)
            add(node, at: done.mark, weight: done.weight, height: done.height)
        default:
            break
        }
        return true
    }

    private mutating func begin(_ collection: Collection) -> Bool {
        guard open.count < Self.deepest else { return tooDeep(collection.mark) }
        open.append(collection)
        return true
    }

    private mutating func tooDeep(_ mark: Mark) -> Bool {
        complain(mark, Self.depth)
        return false
    }

    private mutating func alias(_ name: String, at mark: Mark) -> Bool {
        guard let meant = anchors[name] else {
            complain(mark, "*\(name) stands for nothing: there is no &\(name) before it")
            add(Node("", at: mark), at: mark, isAlias: true)
            return true
        }
        ofAliases += meant.weight
        guard ofAliases <= Self.mostOfAliases else {
            complain(mark, "aliases stand for more than \(Self.mostOfAliases) values by *\(name): write them out")
            return false
        }
        guard open.count + meant.height <= Self.deepest else { return tooDeep(mark) }
        add(meant.node, at: mark, weight: meant.weight, height: meant.height, isAlias: true)
        return true
    }

    private mutating func note(_ node: Node, as anchor: String?, weight: Int, height: Int) {
        if let anchor { anchors[anchor] = Anchored(node: node, weight: weight, height: height) }
    }

    /// Adds a node to the innermost open collection.
    private mutating func add(_ node: Node, at mark: Mark, weight: Int = 1, height: Int = 0, isAlias: Bool = false) {
        guard var parent = open.popLast() else {
            root = node
            return
        }
        parent.weight += weight
        parent.height = max(parent.height, height + 1)
        if parent.isMapping {
            switch parent.place {
            case .key:
                let isGood = isKey(node, at: mark, isAlias: isAlias, &parent.lines)
                parent.place = isGood ? .value(of: node) : .ignoredValue
            case .value(let key):
                parent.pairs.append((key, node))
                parent.place = .key
            case .ignoredValue:
                parent.place = .key
            }
        } else {
            parent.nodes.append(node)
        }
        open.append(parent)
    }

    private mutating func isKey(_ node: Node, at mark: Mark, isAlias: Bool, _ lines: inout [String: Int]) -> Bool {
        guard let name = node.scalar?.string, !isAlias else {
            complain(mark, isAlias ? "an alias cannot be a key here" : "a key is a single value, no list or mapping")
            return false
        }
        guard let line = lines[name] else {
            lines[name] = mark.line
            return true
        }
        complain(mark, "'\(name.prefix(100))' stands here more than once; the first is in line \(line)")
        return false
    }

    // MARK: - Mistakes

    private mutating func complain(_ mark: Mark, _ message: String) {
        issues.append(.init(line: mark.line, column: mark.column, message))
    }

    private mutating func complain(_ parser: yaml_parser_t, _ text: UnsafeBufferPointer<UInt8>) {
        let words = parser.problem.map { String(cString: $0) } ?? "it cannot be read"
        let problem = "this is not YAML: \(words)"
        guard parser.error == YAML_READER_ERROR else { return complain(Mark(parser.problem_mark), problem) }
        let before = text.prefix(Int(clamping: parser.problem_offset))
        issues.append(.init(line: before.count { $0 == UInt8(ascii: "\n") } + 1, problem))
    }

    private static func text(_ name: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        name.map { String(cString: $0) }
    }
}

extension Mark {
    /// libyaml counts from 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
