import Beacon
import Yams

/// Takes values out of YAML nodes. What does not fit is noted with its place, and reading goes on, so that a user
/// sees all mistakes at once.
struct YAMLReader {
    private(set) var issues: [ScenarioError.Issue] = []

    mutating func complain(_ node: Node, _ message: String) {
        issues.append(.init(line: node.mark?.line, column: node.mark?.column, message))
    }

    /// The values of a mapping by their keys. Keys that are not in `known` are complained about.
    mutating func mapping(_ node: Node, _ what: String, known: [String]) -> [String: Node]? {
        guard case .mapping(let mapping) = node else {
            complain(node, "\(what) must be a list of `key: value` lines, with \(Self.list(known))")
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
    mutating func sequence(_ node: Node, _ what: String, atMost limit: Int) -> [Node] {
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

    mutating func text(_ node: Node?, _ key: String) -> String? {
        guard let node else { return nil }
        guard case .scalar(let scalar) = node else {
            complain(node, "\(key) must be a single value")
            return nil
        }
        return scalar.string
    }

    mutating func integer(_ node: Node?, _ key: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let node, let text = text(node, key) else { return nil }
        guard let value = Self.integer(text), range.contains(value) else {
            complain(node, "\(key) is '\(text)': \(Self.wholeNumber(range)) is needed")
            return nil
        }
        return value
    }

    mutating func number(_ node: Node?, _ key: String, _ range: ClosedRange<Double>) -> Double? {
        guard let node, let text = text(node, key) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            complain(node, "\(key) is '\(text)': a number from \(Self.short(range.lowerBound)) to "
                + "\(Self.short(range.upperBound)) is needed")
            return nil
        }
        return value
    }

    /// A length of time, where a number counts `unit`s.
    mutating func duration(
        _ node: Node?, _ key: String, _ range: ClosedRange<Double>, unit: Duration = .seconds(1)
    ) -> Duration? {
        number(node, key, range).map { .microseconds(Int64(($0 * Double(unit.microseconds)).rounded())) }
    }

    /// `none`, or what `read` takes. The outer nil says that the key is absent or wrong.
    mutating func orNone<Value>(_ node: Node?, _ read: (inout YAMLReader, Node) -> Value?) -> Value?? {
        guard let node else { return nil }
        if node.scalar?.string == "none" { return .some(nil) }
        return read(&self, node).map { .some($0) }
    }

    mutating func position(_ node: Node?, _ key: String = "position") -> Position? {
        guard let node else { return nil }
        guard case .sequence(let sequence) = node, (2...3).contains(sequence.count) else {
            complain(node, "\(key) must be two or three numbers in metres, as in [5.5, 1.2]")
            return nil
        }
        let numbers = sequence.map { number($0, key, -10_000...10_000) }
        guard let x = numbers[0], let y = numbers[1] else { return nil }
        guard numbers.count == 3 else { return Position(x, y) }
        return numbers[2].map { Position(x, y, $0) }
    }

    /// Hexadecimal digits in pairs, with spaces and colons as one likes.
    mutating func octets(_ node: Node?, _ key: String, atMost limit: Int) -> [UInt8]? {
        guard let node, let text = text(node, key) else { return nil }
        let characters = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ":") }
        let digits = characters.compactMap(hexDigit)
        guard digits.count == characters.count, digits.count % 2 == 0 else {
            complain(node, "\(key) is '\(text)': pairs of hexadecimal digits are needed, as in 02 01 1A")
            return nil
        }
        guard digits.count / 2 <= limit else {
            complain(node, "\(key) has \(digits.count / 2) octets: at most \(limit) are allowed")
            return nil
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    // MARK: - Words

    private static func integer(_ text: String) -> Int64? {
        text.hasPrefix("0x") || text.hasPrefix("0X") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
    }

    private static func wholeNumber(_ range: ClosedRange<Int64>) -> String {
        range.upperBound == .max
            ? "a whole number of at least \(range.lowerBound)"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }

    static func list(_ words: [String]) -> String {
        words.joined(separator: ", ")
    }

    /// The known word that a mistyped one stands for, if it is close to any.
    private static func nearest(to word: String, in known: [String]) -> String? {
        guard word.utf8.count <= 40 else { return nil }
        let candidates = known.map { (word: $0, distance: editDistance($0, word)) }
        return candidates.min { $0.distance < $1.distance }.flatMap { $0.distance <= 2 ? $0.word : nil }
    }

    /// How many characters must be added, removed or replaced (Levenshtein).
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
