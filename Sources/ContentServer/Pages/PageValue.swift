import Mustache

/// A value for a template. An empty text, `false`, an empty list and `none` do not render a section.
///
/// Unlike `Any` it cannot hold a lambda, whose result would be parsed as a template.
package indirect enum PageValue: Sendable, Equatable {
    case none
    case text(String)
    case flag(Bool)
    case list([PageValue])
    case map([String: PageValue])

    package init(_ text: (some LosslessStringConvertible)?) {
        self = text.map { .text(String($0)) } ?? .none
    }

    /// The same as Mustache wants it.
    var forMustache: Any {
        switch self {
        case .none: Nothing(renderText: "")
        case .text(let text): text.isEmpty ? Nothing(renderText: "") as Any : text
        case .flag(let flag): flag
        case .list(let list): list.map(\.forMustache)
        case .map(let map): map.mapValues(\.forMustache)
        }
    }

    private struct Nothing: MustacheCustomRenderable {
        let renderText: String
        var isNull: Bool { true }
    }
}

extension PageValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(integerLiteral value: Int) { self = .text(String(value)) }
    package init(arrayLiteral elements: PageValue...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, PageValue)...) {
        self = .map(Dictionary(elements) { $1 })
    }
    package init(nilLiteral: ()) { self = .none }
}
