/// A problem with values in it, apart from the language it is told in.
package struct Problem: Error, Hashable, Sendable {
    /// The name under which every language has its text, such as `too_many_images`.
    package var code: Code
    /// What stands for `{0}`, `{1}` … in the text.
    package var arguments: [String]

    package init(_ code: Code, _ arguments: String...) {
        self.code = code
        self.arguments = arguments
    }

    /// In English, for programs and logs.
    package var english: String { Self.filled(code.english, arguments) }

    /// A text with its places `{0}`, `{1}` … filled in. The arguments are not looked at for places.
    package static func filled(_ text: String, _ arguments: [String]) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            let place = rest.prefix { $0 != "}" }
            guard place.endIndex < rest.endIndex, let number = Int(place.dropFirst()),
                arguments.indices.contains(number)
            else {
                result += "{"
                rest = rest.dropFirst()
                continue
            }
            result += arguments[number]
            rest = rest[place.endIndex...].dropFirst()
        }
        return result + rest
    }
}
