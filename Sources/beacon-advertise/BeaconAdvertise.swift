import Advertising
import ArgumentParser
import Beacon
import Console
import Listening
import Radio

@main
struct BeaconAdvertise: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-advertise",
        abstract: "Makes this computer a test iBeacon.",
        discussion: """
            Without options it sends what the well-known Raspberry Pi guides set up with hciconfig and hcitool: \
            UUID 636F3F8F-6491-4BEE-95F7-D8CC64A863B5, major 0, minor 0, -56 dBm at 1 m, not connectable, on all \
            channels, every 100 ms. Ctrl-C ends it.

            beacon-advertise play SCENE.yaml plays a script of beacons; beacon-advertise calibrate finds the measured \
            power to announce. Each has a --help of its own.
            """,
        version: "beacon-advertise \(Program.version)")

    @OptionGroup var beacon: BeaconOptions

    @Option(name: .long, help: ArgumentHelp("A file for the values that are not given here.", valueName: "file.yaml"))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Another adapter (bluez:hciN, h4:…) that must receive it within 5 s.", valueName: "source"))
    var verifyWith: String?

    @OptionGroup var duration: DurationOption

    @Option(name: .long, help: ArgumentHelp("Record every packet as well.", valueName: "file.btsnoop"))
    var capture: String?

    @Flag(name: .long, help: "Print the packets and the commands that they stand for, and send nothing.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "hciconfig: send what the guides' own lines send, to the byte (1.28 s, data after enable, 31 octets).",
            valueName: "tool"))
    var compat: Compatibility?

    enum Compatibility: String, ExpressibleByArgument, CaseIterable {
        case hciconfig
    }

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let commands = ["play", "calibrate"]
        if arguments.first == "help" {
            let named = arguments.dropFirst().prefix(1)
            // What is no command is the mistake that it is without `help`.
            let isKnown = named.allSatisfy { $0.hasPrefix("-") || commands.contains($0) }
            arguments = named + (isKnown ? ["--help"] : [])
        }
        // They are not subcommands, because this command would take their options of the same name.
        switch arguments.first {
        case "play": await Program.run(PlayCommand.self, Array(arguments.dropFirst()))
        case "calibrate": await Program.run(CalibrateCommand.self, Array(arguments.dropFirst()))
        default: await Program.run(Self.self, arguments, besides: commands)
        }
    }

    func validate() throws {
        if dryRun, verifyWith != nil { throw ValidationError("--dry-run sends nothing that could be verified.") }
        if dryRun, capture != nil {
            throw ValidationError("--dry-run sends nothing that could be recorded; use > FILE.")
        }
        if compat != nil, beacon.intervalMs != nil {
            throw ValidationError("--compat hciconfig sends every 1280 ms, as hciconfig does; leave --interval-ms out.")
        }
    }

    func run() async throws {
        switch try config.map({ path in try FileMistakes.asUsage { try AdvertiseFile(path: path) } }) {
        case .scene(let scene)?:
            try refuseBesideScene()
            try await SceneRun(
                scene, sources: [beacon.source ?? beacon.adapter].compactMap { $0 }, duration: duration.duration
            )
            .onAdapters()
        case .beacon(let values)?: try await run(values)
        case nil: try await run(AdvertiseFile.Values())
        }
    }

    private func refuseBesideScene() throws {
        guard !dryRun, verifyWith == nil, compat == nil, capture == nil, beacon.hasNoIdentity else {
            throw CommandFailure.usage(
                "\(config ?? "") is a scene: beside it only --adapter or --source and --duration count")
        }
    }

    private func run(_ values: AdvertiseFile.Values) async throws {
        var settings = try beacon.settings(over: values)
        settings.followsGuides = compat != nil
        if settings.followsGuides { settings.interval = 1280 }
        guard settings.mode == .hci || (!dryRun && compat == nil && capture == nil) else {
            throw CommandFailure.usage(
                "with --mode bluez the packets are bluetoothd's own: leave --dry-run, --compat and --capture out")
        }
        if dryRun {
            guard settings.source.isController else {
                throw CommandFailure.usage("--source \(settings.source): is no controller; use hci0, h4:… or sim")
            }
            Program.output(DryRun.text(settings))
        } else {
            try await advertise(settings, verifyWith: try (verifyWith ?? values.verifyWith).map { try SourceSpec($0) })
        }
    }

    private func advertise(_ settings: BeaconSettings, verifyWith source: SourceSpec?) async throws {
        try FilesApart.require(
            [settings.source, source].compactMap { $0.flatMap { InputFile(of: $0) } }
                + (config.map { [InputFile.configuration($0)] } ?? []),
            writes: [OutputFile("--capture", capture)])
        let recorder = try capture.map { try PacketRecorder(path: $0) }
        let run = try BeaconRun(settings, verifyWith: source, recorder: recorder)
        let interruption = try await UntilStopped.run(for: duration.duration, onSignal: ServiceManager.stopping) {
            try await run.run { BeaconRunText.tell($0, settings) }
        }
        try recorder?.finish()
        if let signal = interruption.signalName {
            Program.write("\(signal): off the air\(run.isUnverified ? ", before it was verified" : "")\n")
        } else if let seconds = duration.duration {
            // This is less than a whole verification receives, but it counts.
            try run.settle(after: seconds) { BeaconRunText.tell($0, settings) }
        }
    }
}
