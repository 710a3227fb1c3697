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
        abstract: "Looks at the stored content, and brings it in step with its site.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says how the daemon is: what it hears, what is nearest, how the content is.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct WatchCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows what the daemon notices as it happens, a line an event.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []
}

struct RegionsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "regions",
        abstract: "Lists the regions of the configuration, and which of them one is in.")

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
}
