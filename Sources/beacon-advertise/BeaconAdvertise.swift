import ArgumentParser
import Beacon
import Console
import HCI
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
            """,
        version: "beacon-advertise \(Program.version)")

    @Option(name: .long, help: ArgumentHelp("The adapter to advertise with.", valueName: "hciN"))
    var adapter: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A controller instead of an adapter: h4:tcp:HOST:PORT, hci0:user, sim.", valueName: "source"))
    var source: String?

    @Option(name: .long, help: "The beacon's UUID, with or without dashes.")
    var uuid: ProximityUUID = .recipe

    @Option(name: .long, help: "0 to 65535.")
    var major: UInt16 = 0

    @Option(name: .long, help: "0 to 65535.")
    var minor: UInt16 = 0

    @Option(name: .long, help: ArgumentHelp("The level at 1 m that is announced, -128 to 127.", valueName: "dBm"))
    var measuredPower: Int8 = -56

    @Option(name: .long, help: ArgumentHelp("Time between two advertisements, 20 to 10240.", valueName: "ms"))
    var intervalMs: Double = 100

    @Option(name: .long, help: "hci: by commands to the controller.")
    var mode: Mode = .hci

    @OptionGroup var duration: DurationOption

    @Option(name: .long, help: ArgumentHelp("Record every packet as well.", valueName: "file.btsnoop"))
    var capture: String?

    @Flag(name: .long, help: "Print the packets and the commands that they stand for, and send nothing.")
    var dryRun = false

    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case hci
    }

    static func main() async {
        await Program.run(Self.self)
    }

    func validate() throws {
        guard adapter == nil || source == nil else {
            throw ValidationError("--adapter and --source name the same thing; give one of them.")
        }
        guard intervalMs >= 20, intervalMs <= 10_240 else {
            throw ValidationError("--interval-ms is a number from 20 to 10240, not \(intervalMs).")
        }
    }

    func run() async throws {
        // Units of 0.625 ms; the bounds are checked above.
        let interval = UInt16((intervalMs / 0.625).rounded())
        let parameters = AdvertisingParameters(minimumInterval: interval, maximumInterval: interval)
        let beacon = IBeacon(id: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower)
        let spec = try SourceSpec(source ?? adapter ?? "hci0")
        if dryRun {
            print(DryRun.text(beacon.advertisingData(), parameters, adapter: adapter ?? "hci0"), terminator: "")
        } else {
            try await advertise(beacon, parameters, spec)
        }
    }

    private func advertise(_ beacon: IBeacon, _ parameters: AdvertisingParameters, _ spec: SourceSpec) async throws {
        let recorder = try capture.map { try PacketRecorder(path: $0) }
        var transport = try LiveSource.transport(to: spec)
        if let recorder { transport = RecordingTransport(transport, recorder: recorder) }
        let advertiser = Advertiser(
            transport: transport, name: spec.description, data: beacon.advertisingData(), parameters: parameters)
        let interval = fixed(intervalMs, digits: intervalMs == intervalMs.rounded() ? 0 : 3)
        let advertising = Task {
            try await advertiser.run { family in
                Program.write(
                    "advertising \(beacon.id.uuid.uppercased) major \(beacon.id.major) minor \(beacon.id.minor), "
                        + "\(beacon.measuredPower) dBm at 1 m, every \(interval) ms, on \(spec) "
                        + "(\(family == .legacy ? "legacy" : "extended") commands); Ctrl-C ends it\n")
            }
        }
        let limit = duration.duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                advertising.cancel()
            }
        }
        defer { limit?.cancel() }
        try await Interruption().watch(onSignal: { advertising.cancel() }, { try await advertising.value })
        try recorder?.finish()
    }
}
