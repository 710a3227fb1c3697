import ArgumentParser
import DaemonSettings
import Console
import Content
import CoreMetrics
import Daemon
import Events
import Glibc
import PrometheusMetrics
import Listening
import Logging
import Platform
import Radio
import Settings
import Text

@main
struct Beacond: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacond",
        abstract: "Listens to iBeacons and keeps the nearest one's content on the disk.",
        discussion: """
            Runs in the foreground and logs one line an event. Settings come from the configuration file, are \
            overridden by BEACOND_… environment variables, and these by the options here.
            """,
        version: "beacond \(Program.version)")

    @Option(
        name: .long,
        help: ArgumentHelp("Configuration (default: \(DaemonConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    @Option(name: .setting(.source), help: .setting(.source))
    var source: [String] = []

    @Option(name: .setting(.baseURL), help: .setting(.baseURL))
    var baseURL: String?

    @Option(name: .setting(.stateDirectory), help: .setting(.stateDirectory))
    var stateDir: String?

    @Option(name: .setting(.socket), help: .setting(.socket))
    var socket: String?

    @Flag(name: .long, help: "Show the live ranking on a terminal.")
    var live = false

    @Option(name: .long, help: ArgumentHelp("End after so many walks of the emulated visitor.", valueName: "n"))
    var walks: Int?

    @Option(name: .long, help: ArgumentHelp("Record every packet as well.", valueName: "file.btsnoop"))
    var capture: String?

    @Flag(name: .long, help: "Log details.")
    var debug = false

    @Flag(name: .long, help: "Only read the configuration, and say what is wrong with it.")
    var checkConfig = false

    static func main() async {
        await Program.run(Self.self)
    }

    func validate() throws {
        if let walks, walks < 1 { throw ValidationError("--walks is a number from 1, not \(walks).") }
    }

    func run() async throws {
        Program.keepMemorySmall()
        // Services trap them soon; until then they would end the program.
        for number in [SIGHUP, SIGUSR1] { signal(number, SIG_IGN) }
        var overrides = DaemonConfiguration.Overrides()
        overrides.sources = source
        overrides.baseURL = baseURL
        overrides.stateDirectory = stateDir
        overrides.socket = socket
        let environment = Environment.variables
        let isJournal = Journal.takes(environment)
        let isLive = live && Terminal.current.isTerminal
        let level: Logger.Level = isLive ? .error : debug ? .debug : .info
        let logger = Logger(label: "beacond") { _ in
            LineLogHandler(level: level, isJournal: isJournal)
        }
        let load: @Sendable () async throws -> DaemonConfiguration = { [config, overrides] in
            try await .load(file: config, environment: environment, overrides: overrides)
        }
        guard !checkConfig else { return try await check(environment, overrides) }
        if let problem = DescriptorLimit.problem { throw CommandFailure(problem) }
        let file = config ?? DaemonConfiguration.defaultFile
        let configuration: DaemonConfiguration
        do {
            configuration = try await load()
        } catch let error as ConfigurationError {
            guard ServiceManager.isAsked else {
                ServiceManager.status(RefusedStart.status(error))
                ServiceManager.flush()
                throw UnusableConfiguration(error)
            }
            let start = RefusedStart(error, file: file, environment: environment, logger: logger, load: load)
            guard let good = try await start.run() else { return }
            configuration = good
        }
        for warning in configuration.warnings { logger.warning("\(warning)") }
        for note in configuration.notes { logger.info("\(note)") }
        configuration.makeFolders(environment)
        // It holds until the process ends. A folder that cannot be written is told of by what needs it.
        if case .busy = FileLock.take(configuration.stateDirectory + "/lock") {
            throw CommandFailure(
                "\(configuration.stateDirectory): another beacond keeps its state there; end that one, or give this "
                    + "one another folder with --state-dir or directories.state")
        }
        try FilesApart.require(
            [InputFile.configuration(file)] + configuration.sources.compactMap { InputFile(of: $0) },
            writes: [OutputFile("--capture", capture)].compactMap { $0 })
        let isOfSeveral = configuration.sources.count > 1
        let recorder = try capture.map { try PacketRecorder(path: $0, isOfSeveral: isOfSeveral) }
        let walks = walks
        @Sendable func completed(_ configuration: DaemonConfiguration) -> DaemonConfiguration {
            var configuration = configuration
            configuration.listening.walks = walks
            configuration.listening.recorder = recorder
            return configuration
        }

        let names = Names()
        var presenters: [any Presenter] = []
        if isLive {
            presenters.append(LivePresenter(names: names))
        } else if isJournal {
            presenters.append(JournalPresenter(logger: logger, names: names))
        } else {
            presenters.append(LogPresenter(logger: logger, names: names))
        }
        let metrics = MetricRegistry()
        MetricsSystem.bootstrap(RegistryMetricsFactory(metrics))
        presenters.append(MetricsPresenter(metrics))
        if ServiceManager.isThere { presenters.append(SystemdPresenter(names: names)) }
        let numbers = EventNumberFile(directory: configuration.stateDirectory)
        let hub = EventHub(names: names, presenters: presenters, after: numbers.read())
        try await Daemon(
            completed(configuration), file: file, hub: hub, numbers: numbers, metrics: metrics, logger: logger
        ) {
            completed(try await load())
        }.run()
        try recorder?.finish()
    }

    private func check(_ environment: [String: String], _ overrides: DaemonConfiguration.Overrides) async throws {
        let check = try await ConfigurationCheck(file: config, environment: environment, overrides: overrides)
        for warning in check.warnings { Program.write("warning: \(warning)\n") }
        Program.output(check.summary + "\n")
    }
}
