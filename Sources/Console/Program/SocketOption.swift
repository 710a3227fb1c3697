public import ArgumentParser

/// Which daemon is asked.
public struct SocketOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The daemon's control socket (default: \(ControlSocket.system)).", valueName: "path"))
    public var socket: String?

    public init() {}

    public func validate() throws {
        guard socket != "" else { throw ValidationError("--socket is empty: name the daemon's socket.") }
    }
}
