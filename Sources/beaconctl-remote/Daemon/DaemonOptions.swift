import ArgumentParser
import Console
import ControlClient

/// The daemon to ask, and the format of the answer.
struct DaemonOptions: ParsableArguments {
    @OptionGroup var socket: SocketOption

    @OptionGroup var result: ResultOptions<TextFormat>

    var isJSON: Bool { result.isJSON }

    func client(for purpose: String) throws -> ControlClient {
        try .found(socket.socket, for: purpose)
    }
}
