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
            Runs in the foreground and logs one line for each event. Settings come from the configuration file, are \
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

    @Option(name: .long, help: ArgumentHelp("End after this many walks of the emulated visitor.", valueName: "n"))
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
        let environment = Environment.variables
        guard !checkConfig else { return try await check(environment) }
        if let problem = DescriptorLimit.problem { throw CommandFailure(problem) }
        let isJournal = Journal.takes(environment)
        let logger = logger(isJournal: isJournal)
        let load: Load = { [config, overrides] in
            try await .load(file: config, environment: environment, overrides: overrides)
        }
        guard let configuration = try await usable(load, environment, logger) else { return }
        for warning in configuration.warnings { logger.warning("\(warning)") }
        for note in configuration.notes { logger.info("\(note)") }
        configuration.makeFolders(environment)
        let state = StateLock()
        guard state.take(configuration.stateDirectory) else {
            throw CommandFailure(
                "\(configuration.stateDirectory): another beacond keeps its state there; end that one, or give this "
                    + "one another folder with --state-dir or directories.state")
        }
        let recorder = try recorder(beside: configuration.sources)
        let completed: @Sendable (DaemonConfiguration) -> DaemonConfiguration = { [walks] configuration in
            var configuration = configuration
            configuration.listening.walks = walks
            configuration.listening.recorder = recorder
            return configuration
        }

        let (names, metrics) = (Names(), MetricRegistry())
        MetricsSystem.bootstrap(RegistryMetricsFactory(metrics))
        let numbers = EventNumberFile(directory: configuration.stateDirectory)
        let hub = EventHub(
            names: names, presenters: presenters(names, metrics, logger, isJournal: isJournal), after: numbers.read())
        recorder?.whenFailed { error in
            hub.publish(.trouble(part: "capture", problem: "\(error); nothing more is recorded", retry: nil))
        }
        try await Daemon(
            completed(configuration), file: file, hub: hub, numbers: numbers, metrics: metrics, logger: logger
        ) {
            let configuration = completed(try await load())
            configuration.makeFolders(environment)
            guard state.take(configuration.stateDirectory) else {
                throw ConfigurationError([
                    SettingMistake(
                        nil, of: "directories.state",
                        "\(configuration.stateDirectory): another beacond keeps its state there",
                        remedy: "end that one, or name another folder")
                ])
            }
            return configuration
        }.run()
        try recorder?.finish()
    }

    // MARK: - The configuration

    private typealias Load = @Sendable () async throws -> DaemonConfiguration

    private var file: String { config ?? DaemonConfiguration.defaultFile }

    private var overrides: DaemonConfiguration.Overrides {
        var overrides = DaemonConfiguration.Overrides()
        overrides.sources = source
        overrides.baseURL = baseURL
        overrides.stateDirectory = stateDir
        overrides.socket = socket
        return overrides
    }

    private func check(_ environment: [String: String]) async throws {
        let check = try await ConfigurationCheck(file: config, environment: environment, overrides: overrides)
        for warning in check.warnings { Program.write("warning: \(warning)\n") }
        Program.output(check.summary + "\n")
    }

    /// The configuration. Where a client waits for the daemon, one with mistakes is waited for until it is good; nil
    /// where a signal ends that.
    private func usable(
        _ load: @escaping Load, _ environment: [String: String], _ logger: Logger
    ) async throws -> DaemonConfiguration? {
        do {
            return try await load()
        } catch let error as ConfigurationError {
            guard ServiceManager.isAsked else {
                ServiceManager.status(RefusedStart.status(error))
                ServiceManager.flush()
                throw UnusableConfiguration(error)
            }
            return try await RefusedStart(
                error, file: file, environment: environment, logger: logger, load: load
            ).run()
        }
    }

    // MARK: - Files

    /// What records the packets; nil where nothing does.
    private func recorder(beside sources: [SourceSpec]) throws -> PacketRecorder? {
        try FilesApart.require(
            [InputFile.configuration(file)] + sources.compactMap { InputFile(of: $0) },
            writes: [OutputFile("--capture", capture)])
        return try capture.map { try PacketRecorder(path: $0, isOfSeveral: sources.count > 1) }
    }

    // MARK: - Outputs

    private var isLive: Bool { live && Terminal.current.isTerminal }

    private func logger(isJournal: Bool) -> Logger {
        // A line would disturb the table.
        let level: Logger.Level = isLive ? .error : debug ? .debug : .info
        return Logger(label: "beacond") { _ in LineLogHandler(level: level, isJournal: isJournal) }
    }

    private func presenters(
        _ names: Names, _ metrics: MetricRegistry, _ logger: Logger, isJournal: Bool
    ) -> [any Presenter] {
        var presenters: [any Presenter] = []
        if isLive {
            presenters.append(LivePresenter(names: names))
        } else if isJournal {
            presenters.append(JournalPresenter(logger: logger, names: names))
        } else {
            presenters.append(LogPresenter(logger: logger, names: names))
        }
        presenters.append(MetricsPresenter(metrics))
        if ServiceManager.isThere { presenters.append(SystemdPresenter(names: names)) }
        return presenters
    }
}
