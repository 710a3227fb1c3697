package import ArgumentParser
package import HCI
package import Listening
import Radio

/// The options of all commands that listen.
package struct SourceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to listen; may be repeated.",
            discussion: """
                hci0, hci:AA:BB:CC:DD:EE:FF (kernel), hci0:user (kernel, exclusive), h4:tcp:HOST:PORT, h4:unix:PATH, \
                h4:serial:DEVICE[,BAUD] (a controller), bluez:hci0 (bluetoothd), file:PATH (a capture; file:- is \
                standard input), sim, sim:SCENARIO.yaml (emulated air), auto (the first adapter).
                """,
            valueName: "source"))
    package var source: [String] = []

    @Flag(name: .long, help: "Scan actively, so that scan responses are received too.")
    package var active = false

    @Option(
        name: .long,
        help: "How much of the time to listen: dedicated (always), balanced (half), wifi-friendly (a tenth).")
    package var scanProfile: ScanProfile = .dedicated

    @Option(name: .long, help: ArgumentHelp("Record every packet as well.", valueName: "file.btsnoop"))
    package var capture: String?

    @Flag(name: .long, help: "Replay a capture at its own pace.")
    package var realtime = false

    package init() {}

    /// Whether no option says where or how to listen, so that a running daemon can be asked.
    package var isUnset: Bool {
        source.isEmpty && !active && scanProfile == .dedicated && capture == nil && !realtime
    }

    /// The parsed sources.
    ///
    /// - Parameters:
    ///   - inputs: files that it reads besides the sources.
    ///   - outputs: files that it writes besides standard output and `--capture`.
    /// - Throws: `badSource`, and a failure if the command would write into a file that it reads.
    package func specs(reads inputs: [InputFile] = [], writes outputs: [OutputFile?] = []) throws -> [SourceSpec] {
        let specs = try source.map { try SourceSpec($0) }
        guard specs.count <= Int(UInt16.max), specs.allSatisfy(\.isFile) || !specs.contains(where: \.isFile) else {
            throw CommandFailure.usage(
                "captures and live sources cannot be listened to together: their times differ; use one kind")
        }
        try FilesApart.require(
            specs.compactMap { InputFile(of: $0) } + inputs,
            writes: outputs + [OutputFile("--capture", capture)])
        return specs
    }

    /// The same. Without any it says so and uses `auto`, the first adapter.
    ///
    /// - Parameter isDaemonAbsent: a daemon was to be asked, and none is running.
    package func specsOrAuto(reads inputs: [InputFile] = [], isDaemonAbsent: Bool) throws -> [SourceSpec] {
        let specs = try specs(reads: inputs)
        guard specs.isEmpty else { return specs }
        let reason = isDaemonAbsent ? "no --source and no running daemon" : "no --source"
        Program.write("\(reason): listening on the first adapter (--source auto)\n")
        return [.auto]
    }

    /// - Parameter specs: all sources of the run.
    package func listening(to specs: [SourceSpec]) throws -> ListeningOptions {
        var options = ListeningOptions()
        options.scan = scanProfile.parameters(isActive: active)
        options.recorder = try capture.map { try PacketRecorder(path: $0, isOfSeveral: specs.count > 1) }
        return options
    }
}

/// The option that ends a listing by time.
package struct DurationOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("End after this time; of a capture, its own time.", valueName: "seconds"))
    package var duration: Double?

    package init() {}

    package func validate() throws {
        if let duration, !(duration > 0 && duration < 1e9) {
            throw ValidationError(
                "--duration is a number of seconds greater than 0 and less than 1e9, not \(duration).")
        }
    }
}

extension ScanProfile: ExpressibleByArgument {}
