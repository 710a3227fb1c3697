import ArgumentParser
import Beacon
import Console
import Listening

struct CaptureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Records every packet until it is stopped.",
        discussion: """
            The file (-o or --capture) is btsnoop, which beaconctl (--source file:…), btmon and Wireshark read. \
            Without --source, the first adapter is recorded. Counts go to standard error at the end.
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("The file for the packets.", valueName: "file.btsnoop"))
    var output: String?

    @OptionGroup var sources: SourceOptions

    @OptionGroup var duration: DurationOption

    func run() async throws {
        guard let file = output ?? sources.capture else {
            throw CommandFailure.usage("name the file that the packets go to: --output FILE.btsnoop")
        }
        guard (sources.capture ?? file) == file else {
            throw CommandFailure.usage("--capture names another file than --output: leave one of them out")
        }
        var sources = sources
        sources.capture = file
        let specs = try sources.specsOrAuto(isDaemonAbsent: false)
        if let file = specs.first(where: \.isFile) {
            throw CommandFailure.usage("\(file) is a capture already: name what can be heard now, such as hci0 or sim")
        }
        let run = try SourceRun(
            sources, specs: specs, duration: duration.duration, isFinite: false, tellsProgress: true, tellsCounts: true)
        let result = try await run.run { Recording() }
        if let problem = result.problem { throw problem }
        Program.write("recorded in \(file == "-" ? "standard output" : file)\n")
    }
}

/// The packets are recorded by the run; this only counts their contents.
private struct Recording: SightingConsumer {
    var wakeAfter: Duration? { nil }

    func begin(_ sources: RunSources) {}

    func take(_ sighting: borrowing Sighting) -> Bool { true }

    func reached(_ now: Timestamp) -> Bool { true }

    func flush() {}

    func finish(isOver: Bool) {}
}
