/// A problem with its values, independent of the language in which it is shown.
package struct Problem: Error, Hashable, Sendable {
    /// The key of its text in every language, such as `too_many_images`.
    package var code: Code
    /// The values for `{0}`, `{1}` and so on in the text.
    package var arguments: [String]

    package init(_ code: Code, _ arguments: String...) {
        self.code = code
        self.arguments = arguments
    }

    /// The text in English, for programs and logs.
    package var english: String { Self.filled(code.english, arguments) }

    /// Fills the placeholders `{0}`, `{1}` and so on in a text. Placeholders in the arguments are not replaced.
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
