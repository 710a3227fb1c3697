import Advertising
import ArgumentParser
import Console
import Radio

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-advertise play",
        abstract: "Plays a script of beacons: a scene.",
        discussion: """
            On adapters, beacons take turns where there are more of them than places. With --air they are all on the \
            emulated air at once, where everybody who connects gets a controller: \
            beacon-advertise play tour.yaml --air h4:unix:/tmp/air, then beaconctl range --source h4:unix:/tmp/air. \
            docs/scenes.md says what a scene can have.
            """,
        version: "beacon-advertise \(Program.version)")

    @Argument(help: "The scene.")
    var scene: String

    @Option(
        name: .long, help: ArgumentHelp("An adapter to play on (default: hci0); may be repeated.", valueName: "hciN"))
    var adapter: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A controller instead: h4:tcp:HOST:PORT, hci0:user, sim; may be repeated.", valueName: "source"))
    var source: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Play on the emulated air, and give other programs controllers there.", valueName: "h4:…"))
    var air: String?

    @Flag(name: .long, help: "Only read the scene, and say what is in it.")
    var check = false

    @OptionGroup var duration: DurationOption

    func validate() throws {
        guard air == nil || (adapter.isEmpty && source.isEmpty) else {
            throw ValidationError("--air is instead of --adapter and --source.")
        }
        try AdapterName.require(adapter)
    }

    func run() async throws {
        let path = scene
        let scene = try FileMistakes.asUsage { try Scene(path: path) }
        let run = SceneRun(scene, sources: adapter + source, duration: duration.duration)
        if check {
            Program.writeResult(ScenePresenter.summary(of: scene))
        } else if let air {
            try await run.onAir(at: try SceneRun.endpoint(air))
        } else {
            try await run.onAdapters()
        }
    }
}
