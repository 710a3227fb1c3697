import ArgumentParser
import Console
import Settings

/// A command that asks the daemon or the network. These commands are in a separate program, because a network client
/// and TLS would cost every other command memory.
protocol DaemonCommand: ParsableCommand {
    var arguments: [String] { get }
}

extension DaemonCommand {
    func run() throws {
        throw AskingDaemon.become(Self.configuration.commandName ?? "", arguments)
    }
}

struct ContentCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Shows and checks the stored content, and syncs it with its site.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the daemon's state: its sources, the nearest beacon, the content.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct WatchCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows the daemon's events as they happen, one line each.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct RegionsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "regions",
        abstract: "Lists the regions of the configuration, and whether the scanner is inside them.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct NameCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Gives a beacon a name, or lists those that have one.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct FleetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Lists the scanners of a fleet: state, room, clock, version; and its resolvers.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

enum AskingDaemon {
    /// Replaces this process with that program. Returns only if that fails, with the error.
    static func become(_ command: String, _ arguments: [String]) -> CommandFailure {
        Companion.become("beaconctl-remote", [command] + arguments)
    }

    /// Replaces this process with that program, with the same arguments, if a daemon runs. Returns if none does.
    ///
    /// - Throws: where access to the chosen daemon is denied, or it does not run.
    static func instead(_ socket: SocketOption) throws {
        guard try ControlSocket.find(socket.socket, Environment.variables) != nil else { return }
        throw Companion.become("beaconctl-remote", Array(CommandLine.arguments.dropFirst()))
    }

    /// - Throws: `usage` if a daemon is named, because the command listens itself.
    static func requireUnnamed(_ socket: SocketOption) throws {
        guard socket.socket == nil else {
            throw CommandFailure.usage(
                "--socket names a daemon to ask, but --source and what else says how to listen ask none: leave out one "
                    + "of them")
        }
    }
}
