/// Reads values from YAML nodes. Invalid values are recorded with their position, and reading continues, so that a user
/// sees all mistakes at once.
package struct YAMLReader {
    package private(set) var issues: [DocumentError.Issue] = []

    package init() {}

    /// The document of a text; nil if it is empty or not YAML, which is then recorded as an issue.
    package mutating func document(_ yaml: String) -> Node? {
        var composer = YAMLComposer()
        let root = composer.compose(yaml)
        issues += composer.issues
        return root
    }

    /// Records a problem at a node.
    package mutating func complain(_ node: Node, _ message: String) {
        issues.append(.init(line: node.mark?.line, column: node.mark?.column, message))
    }

    /// The values of a mapping by their keys. Keys that are not in `known` are recorded as problems.
    package mutating func mapping(_ node: Node, _ what: String, known: [String]) -> [String: Node]? {
        guard case .mapping(let mapping) = node else {
            complain(node, "\(what) needs `key: value` lines, without dashes before them: \(Self.list(known))")
            return nil
        }
        var values: [String: Node] = [:]
        for (key, value) in mapping {
            guard let name = key.scalar?.string, known.contains(name) else {
                let name = key.scalar?.string ?? "this"
                let hint = Self.nearest(to: name, in: known).map { "did you mean '\($0)'?" }
                complain(key, "'\(name)' is not known in \(what): " + (hint ?? "allowed are \(Self.list(known))"))
                continue
            }
            values[name] = value
        }
        return values
    }

    /// The elements of a sequence.
    package mutating func sequence(_ node: Node, _ what: String, atMost limit: Int) -> [Node] {
        guard case .sequence(let sequence) = node else {
            complain(node, "\(what) must be a list, with a dash before each of its entries")
            return []
        }
        guard sequence.count <= limit else {
            complain(node, "\(what) has \(sequence.count) entries: at most \(limit) are allowed")
            return []
        }
        return Array(sequence)
    }

    /// What `read` makes of the elements of a sequence. Of several with the same key only the first is taken.
    ///
    /// - Parameter twice: says what is wrong with a further one.
    package mutating func distinct<Element, Key: Hashable>(
        _ node: Node, _ what: String, atMost limit: Int, by key: (Element) -> Key,
        read: (Node, inout YAMLReader) -> Element?, twice: (Element) -> String
    ) -> [Element] {
        var (keys, elements): (Set<Key>, [Element]) = ([], [])
        for node in sequence(node, what, atMost: limit) {
            guard let element = read(node, &self) else { continue }
            if keys.insert(key(element)).inserted {
                elements.append(element)
            } else {
                complain(node, twice(element))
            }
        }
        return elements
    }

    /// A single value as text; nil if the key is absent or wrong.
    package mutating func text(_ node: Node?, _ key: String) -> String? {
        guard let node else { return nil }
        guard case .scalar(let scalar) = node else {
            complain(node, "\(key) must be a single value")
            return nil
        }
        guard !node.isNull else {
            complain(
                node, "\(key) is \(scalar.string), which is no value: write one, or leave it out; as a word it needs "
                    + "quotation marks")
            return nil
        }
        return scalar.string
    }

    /// A whole number, decimal or, with 0x, hexadecimal.
    package mutating func integer(_ node: Node?, _ key: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let node, let text = text(node, key) else { return nil }
        guard let value = Self.integer(text), range.contains(value) else {
            complain(node, "\(key) is '\(text)': \(Self.wholeNumber(range)) is needed")
            return nil
        }
        return value
    }

    package mutating func number(_ node: Node?, _ key: String, _ range: ClosedRange<Double>) -> Double? {
        guard let node, let text = text(node, key) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            complain(node, "\(key) is '\(text)': a number from \(Self.short(range.lowerBound)) to "
                + "\(Self.short(range.upperBound)) is needed")
            return nil
        }
        return value
    }

    /// `true` or `false`.
    package mutating func flag(_ node: Node?, _ key: String) -> Bool? {
        guard let node, let text = text(node, key) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            complain(node, "\(key) is '\(text)': true or false is needed")
            return nil
        }
    }

    /// `none`, or a value that `read` accepts. The outer nil means that the key is absent or wrong.
    package mutating func orNone<Value>(_ node: Node?, _ read: (inout YAMLReader, Node) -> Value?) -> Value?? {
        guard let node else { return nil }
        if node.scalar?.string == "none" { return .some(nil) }
        return read(&self, node).map { .some($0) }
    }

    /// A whole number in decimal, or with 0x in hexadecimal.
    package static func integer(_ text: String) -> Int64? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return Int64(text) }
        let digits = text.dropFirst(2)
        // `Int64` reads a sign, too.
        return digits.first?.isHexDigit == true ? Int64(digits, radix: 16) : nil
    }

    // MARK: - Message texts

    private static func wholeNumber(_ range: ClosedRange<Int64>) -> String {
        range.upperBound == .max
            ? "a whole number of at least \(range.lowerBound)"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }

    /// Words in the form of a list in a message.
    package static func list(_ words: [String]) -> String {
        words.joined(separator: ", ")
    }

    /// The known word that is closest to a mistyped one, if any is close.
    package static func nearest(to word: String, in known: [String]) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let candidates = known.map { (word: $0, distance: editDistance($0, word)) }
        return candidates.min { $0.distance < $1.distance }.flatMap { $0.distance <= 2 ? $0.word : nil }
    }

    /// How many characters must be added, removed or replaced (Levenshtein distance).
    private static func editDistance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        var row = Array(0...second.count)
        for (i, left) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in second.enumerated() {
                let replaced = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[second.count]
    }
}
