import ArgumentParser
import Console
import ControlClient

/// Which daemon is asked, and how its answer is written.
struct DaemonOptions: ParsableArguments {
    @OptionGroup var socket: SocketOption

    @Option(name: .long, help: "text or json.")
    var format: ContentFormatOptions.Format = .text

    @Flag(name: .long, help: "The same as --format json.")
    var json = false

    var isJSON: Bool { json || format == .json }

    func client(for purpose: String) throws -> ControlClient {
        try .found(socket.socket, for: purpose)
    }
}
