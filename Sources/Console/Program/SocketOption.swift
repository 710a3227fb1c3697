package import ArgumentParser
import Settings

/// The option that selects a daemon.
package struct SocketOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The daemon's control socket (default: \(ControlSocket.system)).", valueName: "path"))
    package var socket: String?

    package init() {}

    package func validate() throws {
        guard socket != "" else { throw ValidationError("--socket is empty: name the daemon's socket.") }
    }
}
