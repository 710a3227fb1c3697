import ArgumentParser
import Console
import ControlClient

/// Which daemon is asked, and how its answer is written.
struct DaemonOptions: ParsableArguments {
    @OptionGroup var socket: SocketOption

    @OptionGroup var result: ResultOptions<TextFormat>

    var isJSON: Bool { result.isJSON }

    func client(for purpose: String) throws -> ControlClient {
        try .found(socket.socket, for: purpose)
    }
}
