import ArgumentParser
import Console
import Content
import Daemon

/// Which store, and from which site.
struct ContentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The store (default: where the configuration has it).", valueName: "directory"))
    var store: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Configuration (default: \(DaemonConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    func configuration(_ overrides: DaemonConfiguration.Overrides = .init()) async throws -> DaemonConfiguration {
        do {
            return try await .load(file: config, environment: Environment.variables, overrides: overrides)
        } catch let error as ConfigurationError {
            throw ProgramExit.usage("the configuration cannot be used:\n\(error)")
        }
    }

    /// The store, which must be there.
    func opened() async throws -> any ContentAccess {
        let directory: String
        if let store { directory = store } else { directory = try await configuration().contentDirectory }
        return try StoreAccess(directory: directory)
    }
}

/// How results are written.
struct ContentFormatOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @Option(name: .long, help: "text or json.")
    var format: Format = .text

    @Flag(name: .long, help: "The same as --format json.")
    var json = false

    var isJSON: Bool { json || format == .json }
}
