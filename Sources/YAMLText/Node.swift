/// A position in a text, counted from 1. Columns are counted in Unicode scalars.
package struct Mark: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value of a YAML document. Equality compares content and ignores positions.
package enum Node: Hashable, Sendable {
    case scalar(Scalar)
    case sequence(Sequence)
    case mapping(Mapping)

    /// A single value. Quoted and unquoted values are equal.
    package struct Scalar: Hashable, Sendable {
        package var string: String
        fileprivate var place: Place
    }

    /// A list.
    package struct Sequence: Hashable, Sendable {
        fileprivate var nodes: [Node]
        fileprivate var place: Place
    }

    /// Keys and their values, in the order of the text. The keys are distinct scalars.
    package struct Mapping: Hashable, Sendable {
        fileprivate var pairs: [Pair]
        fileprivate var place: Place
    }

    fileprivate struct Pair: Hashable {
        var key: Node
        var value: Node
    }

    /// How and where a node is written, which is ignored in comparisons.
    fileprivate struct Place: Hashable {
        var mark: Mark?
        /// Without quotation marks, and without a tag that says that it is a text.
        var isPlain = false

        static func == (left: Place, right: Place) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}

extension Node {
    package init(_ string: String, at mark: Mark? = nil, isPlain: Bool = false) {
        self = .scalar(Scalar(string: string, place: Place(mark: mark, isPlain: isPlain)))
    }

    init(_ nodes: [Node], at mark: Mark) {
        self = .sequence(Sequence(nodes: nodes, place: Place(mark: mark)))
    }

    init(_ pairs: [(key: Node, value: Node)], at mark: Mark) {
        self = .mapping(Mapping(pairs: pairs.map { Pair(key: $0, value: $1) }, place: Place(mark: mark)))
    }

    /// Where the node begins; for an alias, where the aliased node begins. Nil if it does not come from a text.
    package var mark: Mark? {
        switch self {
        case .scalar(let scalar): scalar.place.mark
        case .sequence(let sequence): sequence.place.mark
        case .mapping(let mapping): mapping.place.mark
        }
    }

    /// Whether it is written as nothing: as `null` or `~` without quotation marks (YAML 1.2, section 10.3.2). Other
    /// words and numbers are texts: `no`, `0123` and `1e3` are what is written.
    package var isNull: Bool {
        guard let scalar, scalar.place.isPlain else { return false }
        return ["null", "Null", "NULL", "~"].contains(scalar.string)
    }

    package var scalar: Scalar? {
        if case .scalar(let scalar) = self { scalar } else { nil }
    }

    package var sequence: Sequence? {
        if case .sequence(let sequence) = self { sequence } else { nil }
    }

    package var mapping: Mapping? {
        if case .mapping(let mapping) = self { mapping } else { nil }
    }

    /// The value of a key; nil if there is none or this is not a mapping.
    package subscript(key: String) -> Node? {
        mapping?.first { $0.key.scalar?.string == key }?.value
    }
}

extension Node.Sequence: RandomAccessCollection {
    package var startIndex: Int { nodes.startIndex }
    package var endIndex: Int { nodes.endIndex }

    package subscript(index: Int) -> Node { nodes[index] }
}

extension Node.Mapping: RandomAccessCollection {
    package var startIndex: Int { pairs.startIndex }
    package var endIndex: Int { pairs.endIndex }

    package subscript(index: Int) -> (key: Node, value: Node) { (pairs[index].key, pairs[index].value) }

    package var keys: [Node] { pairs.map(\.key) }
}

extension Node: ExpressibleByStringLiteral {
    package init(stringLiteral string: String) {
        self.init(string)
    }
}
