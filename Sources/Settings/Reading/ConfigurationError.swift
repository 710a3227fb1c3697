/// What is wrong with a configuration: all of it at once, each with its place.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var mistakes: [SettingMistake]

    /// An error of at least one mistake.
    package init(_ mistakes: [SettingMistake]) {
        self.mistakes = mistakes
    }

    /// The same of what is rendered already.
    package init(_ problems: [String]) {
        mistakes = problems.map { SettingMistake(nil, $0) }
    }

    /// `PLACE: what, and what to do`, one each; the place is file:line:column, a variable, or an option.
    package var problems: [String] { mistakes.map(\.description) }

    package var description: String { problems.joined(separator: "\n") }
}

/// A program needs a configuration that has mistakes. That is wrong usage, unlike a check that finds them.
package struct UnusableConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    package var cause: ConfigurationError

    package init(_ cause: ConfigurationError) {
        self.cause = cause
    }

    package var description: String { "the configuration cannot be used:\n\(cause)" }
}
