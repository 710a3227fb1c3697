package import ArgumentParser

/// The formats of a command's result.
package protocol ResultFormat: ExpressibleByArgument, CaseIterable, Equatable, Sendable {
    /// The default.
    static var standard: Self { get }
    static var json: Self { get }
    /// The list of formats for the help.
    static var help: String { get }
}

/// The options for format and destination that all commands with a result share.
package struct ResultOptions<Format: ResultFormat>: ParsableArguments, Sendable {
    @Option(name: .customLong("format"), help: ArgumentHelp(Format.help))
    private var chosen = Format.standard

    @Flag(name: .customLong("json"), help: "The same as --format json.")
    private var isJSON = false

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write the result to a file; - is standard output.", valueName: "file"))
    package var output: String?

    package init() {}

    package var format: Format { isJSON ? .json : chosen }

    package func validate() throws {
        guard output != "" else { throw ValidationError("--output is empty: name a file, or - for standard output.") }
        guard !isJSON || chosen == .standard || chosen == .json else {
            throw ValidationError("--json and --format \(chosen) say different things: leave one of them out.")
        }
    }
}

/// A command whose output can go to a file.
package protocol ResultCommand {
    associatedtype Format: ResultFormat
    var result: ResultOptions<Format> { get }
}

/// A document for people or for programs.
package enum TextFormat: String, ResultFormat {
    case text
    case json

    package static let standard = text
    package static let help = "text or json."
}

/// A list for people, for programs or for spreadsheets.
extension OutputFormat: ResultFormat {
    package static let standard = table
    package static let help = "table, json (an object a line) or csv."
}
