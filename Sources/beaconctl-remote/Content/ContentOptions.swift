import ArgumentParser
import Console
import Content
import ControlClient
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

    @OptionGroup var socket: SocketOption

    /// The configuration that is named; "none" is none: the built-in settings, as with every other command.
    var file: String? { config == "none" ? nil : config }

    /// The daemon, where one runs and no store is named.
    ///
    /// - Parameter isOwn: the store is worked on itself in any case.
    func daemon(unless isOwn: Bool = false) throws -> ControlClient? {
        guard store == nil, config == nil, !isOwn else {
            guard socket.socket == nil else {
                throw CommandFailure.usage("--socket names a daemon, the other options a store: use one of them")
            }
            return nil
        }
        return try ControlSocket.find(socket.socket, Environment.variables).map { ControlClient(socket: $0) }
    }

    func configuration(_ overrides: DaemonConfiguration.Overrides = .init()) async throws -> DaemonConfiguration {
        do {
            return try await .load(
                file: config == nil ? nil : file ?? "/dev/null", environment: Environment.variables,
                overrides: overrides)
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("the configuration cannot be used:\n\(error)")
        }
    }

    /// The daemon's store, or a store that is named, which must be there.
    func opened() async throws -> any ContentAccess {
        if let client = try daemon() { return try await DaemonContentAccess(client) }
        let directory: String
        if let store { directory = store } else { directory = try await configuration().contentDirectory }
        return try StoreAccess(directory: directory)
    }
}

/// How results are written.
typealias ContentFormatOptions = ResultOptions<TextFormat>

extension ResultOptions<TextFormat> {
    var isJSON: Bool { format == .json }
}
