package import ArgumentParser

/// The forms in which a command's result can be had.
package protocol ResultFormat: ExpressibleByArgument, CaseIterable, Equatable, Sendable {
    /// Where nothing else is asked for.
    static var standard: Self { get }
    static var json: Self { get }
    /// For the help: which there are.
    static var help: String { get }
}

/// The form of a command's result, and where it goes: the same options for every command that has one.
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

/// A command whose standard output can go to a file.
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
