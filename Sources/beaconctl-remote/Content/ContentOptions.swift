import ArgumentParser
import DaemonSettings
import Console
import Content
import ControlClient
import Settings

/// Which store to use, and which site.
struct ContentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The store (default: the configuration's).", valueName: "directory"))
    var store: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Configuration (default: \(DaemonConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    @OptionGroup var socket: SocketOption

    /// The path of the configuration. As in every other command, "none" means the built-in settings.
    var file: String? { config == "none" ? nil : config }

    /// The daemon, if one runs and no store is given.
    ///
    /// - Parameter isOwn: always use the store directly.
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
        let file = config == nil ? nil : file ?? "/dev/null"
        try FilesApart.require([.configuration(file ?? DaemonConfiguration.defaultFile)])
        do {
            return try await .load(file: file, environment: Environment.variables, overrides: overrides)
        } catch let error as ConfigurationError {
            throw UnusableConfiguration(error)
        }
    }

    /// The daemon's store, or a given store, which must exist.
    func opened() async throws -> any ContentAccess {
        if let client = try daemon() { return try await DaemonContentAccess(client) }
        if let store, config == nil { return try StoreAccess(directory: store) }
        let configuration = try await configuration()
        return try StoreAccess(
            directory: store ?? configuration.contentDirectory, names: configuration.ranging.beacons)
    }
}

/// The options for the format of results.
typealias ContentFormatOptions = ResultOptions<TextFormat>

extension ResultOptions<TextFormat> {
    var isJSON: Bool { format == .json }
}
