/// What is wrong with a configuration: all of it at once, each with its place.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `PLACE: what, and what to do`, one each; the place is file:line:column, a variable, or an option.
    public var problems: [String]

    /// An error of at least one problem.
    public init(_ problems: [String]) {
        self.problems = problems
    }

    public var description: String {
        problems.joined(separator: "\n")
    }
}
