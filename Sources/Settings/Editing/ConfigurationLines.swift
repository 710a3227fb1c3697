import YAMLText

/// A text by lines, with the marks of the YAML parser as places in it.
struct ConfigurationLines {
    /// A line keeps its own end, because a text may have several kinds of them.
    private struct Line {
        var text: String
        var end: String
    }

    private var lines: [Line] = []
    /// The end of new lines.
    private let end: String

    init(_ text: String) {
        var line = String.UnicodeScalarView()
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard Self.isBreak(scalar) else {
                line.append(scalar)
                continue
            }
            let isPair = scalar == "\r" && scalars.first == "\n"
            if isPair { scalars.removeFirst() }
            lines.append(Line(text: String(line), end: isPair ? "\r\n" : String(scalar)))
            line.removeAll()
        }
        end = lines.first?.end == "\r\n" ? "\r\n" : "\n"
        if !line.isEmpty { lines.append(Line(text: String(line), end: end)) }
    }

    /// Where the parser's count of lines goes on. YAML 1.1, section 5.4.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    var text: String { lines.map { $0.text + $0.end }.joined() }

    var root: Node? {
        var yaml = YAMLReader()
        return yaml.document(text)
    }

    /// Everything but one group at the top.
    func rest(besides group: String) -> [Node: Node] {
        guard let mapping = root?.mapping else { return [:] }
        return Dictionary(mapping.filter { $0.key.scalar?.string != group }.map { ($0.key, $0.value) }) { $1 }
    }

    /// Whether it has a line for each entry, rather than brackets. (The parser's own word for it is wrong.)
    func isBlock(_ node: Node) -> Bool {
        guard node.scalar == nil, let mark = node.mark, lines.indices.contains(mark.line - 1) else { return false }
        let first = lines[mark.line - 1].text.unicodeScalars.dropFirst(mark.column - 1).first
        return first.map { $0 != "{" && $0 != "[" } ?? false
    }

    mutating func append(_ new: [String]) {
        if lines.last.map({ !$0.text.isEmpty }) == true { lines.append(Line(text: "", end: end)) }
        lines += made(new)
    }

    /// - Parameter line: from 1.
    mutating func insert(_ new: [String], after line: Int) {
        lines.insert(contentsOf: made(new), at: min(line, lines.count))
    }

    private func made(_ new: [String]) -> [Line] { new.map { Line(text: $0, end: end) } }

    /// Replaces whole lines, which hold one entry of a mapping with a line for each; false where they hold more.
    ///
    /// - Parameter span: from 1.
    mutating func replace(_ span: ClosedRange<Int>, ofEntryAt key: Mark, with new: [String]) -> Bool {
        guard lines.indices.contains(span.lowerBound - 1), lines.indices.contains(span.upperBound - 1),
            lines[span.lowerBound - 1].text.unicodeScalars.prefix(key.column - 1).allSatisfy({ $0 == " " })
        else { return false }
        lines.replaceSubrange(span.lowerBound - 1...span.upperBound - 1, with: made(new))
        return true
    }

    /// Puts another value in the place of a single one, quoted or not; false where it cannot be told where that ends.
    mutating func replaceScalar(_ old: String, at mark: Mark, with new: String) -> Bool {
        guard lines.indices.contains(mark.line - 1) else { return false }
        let scalars = Array(lines[mark.line - 1].text.unicodeScalars)
        guard let end = Self.end(of: old, in: scalars, from: mark.column - 1) else { return false }
        lines[mark.line - 1].text.unicodeScalars = .init(
            scalars[..<(mark.column - 1)] + new.unicodeScalars + scalars[end...])
        return true
    }

    private static func end(of value: String, in scalars: [Unicode.Scalar], from start: Int) -> Int? {
        guard start < scalars.count else { return nil }
        let quote = scalars[start]
        guard quote == "\"" || quote == "'" else {
            let end = start + value.unicodeScalars.count
            let isSame = end <= scalars.count && scalars[start..<end].elementsEqual(value.unicodeScalars)
            return isSame && !value.isEmpty ? end : nil
        }
        var index = start + 1
        while index < scalars.count {
            if scalars[index] == "\\", quote == "\"" {
                index += 1
            } else if scalars[index] == quote {
                // In single quotes a quote is written twice.
                guard quote == "'", index + 1 < scalars.count, scalars[index + 1] == quote else { return index + 1 }
                index += 1
            }
            index += 1
        }
        return nil
    }

    /// Removes a line that holds nothing but a key and its value.
    mutating func removeLine(_ line: Int, of key: String) -> Bool {
        guard lines.indices.contains(line - 1), lines[line - 1].text.drop(while: { $0 == " " }).hasPrefix(key) else {
            return false
        }
        lines.remove(at: line - 1)
        return true
    }

    /// Puts another value in the place of one; a note that an earlier calibration left behind it is renewed.
    mutating func replace(_ old: String, at mark: Mark, with new: String, note: String?) -> Bool {
        guard lines.indices.contains(mark.line - 1) else { return false }
        let scalars = Array(lines[mark.line - 1].text.unicodeScalars)
        let length = old.unicodeScalars.count
        let start = mark.column - 1
        guard start + length <= scalars.count, scalars[start..<start + length].elementsEqual(old.unicodeScalars) else {
            return false
        }
        var rest = String(String.UnicodeScalarView(scalars[(start + length)...]))
        if let note, rest.allSatisfy({ $0 == " " }) || rest.drop(while: { $0 == " " }).hasPrefix("# calibrated ") {
            rest = "  # \(note)"
        }
        lines[mark.line - 1].text = String(String.UnicodeScalarView(scalars[..<start])) + new + rest
        return true
    }
}

extension Node {
    /// The key and the value of a mapping's entry.
    func entry(_ name: String) -> (key: Node, value: Node)? {
        mapping?.first { $0.key.scalar?.string == name }.map { ($0.key, $0.value) }
    }

    /// The last line that holds something of it.
    var lastLine: Int? {
        switch self {
        case .scalar: mark?.line
        case .mapping(let mapping):
            (mapping.flatMap { [$0.key.lastLine, $0.value.lastLine] }.compactMap { $0 } + [mark?.line ?? 0]).max()
        case .sequence(let sequence): (sequence.compactMap(\.lastLine) + [mark?.line ?? 0]).max()
        }
    }
}
