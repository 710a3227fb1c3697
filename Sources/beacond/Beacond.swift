import ArgumentParser
import Console
import Content
import Daemon
import Listening
import Logging
import Radio

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

    @Option(name: .long, help: ArgumentHelp("Configuration (default: \(DaemonConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("Where to listen; may be repeated.", valueName: "source"))
    var source: [String] = []

    @Option(name: .long, help: ArgumentHelp("The content site.", valueName: "url"))
    var baseURL: String?

    @Option(name: .long, help: ArgumentHelp("Where content is kept.", valueName: "directory"))
    var stateDir: String?

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
        var overrides = DaemonConfiguration.Overrides()
        overrides.sources = source
        overrides.baseURL = baseURL
        overrides.stateDirectory = stateDir
        let environment = Environment.variables
        var configuration: DaemonConfiguration
        do {
            configuration = try await .load(file: config, environment: environment, overrides: overrides)
        } catch let error as ConfigurationError {
            guard !checkConfig else { throw ProgramExit(1, "\(error)") }
            throw ProgramExit.usage("the configuration cannot be used:\n\(error)")
        }
        guard !checkConfig else {
            print("\(config ?? DaemonConfiguration.defaultFile) is good: listens on "
                + configuration.sources.map(\.description).joined(separator: ", ")
                + (configuration.content.map { ", content from \($0.baseURL)" } ?? ", no content site"))
            return
        }
        configuration.listening.walks = walks
        let recorder = try capture.map { try PacketRecorder(path: $0) }
        configuration.listening.recorder = recorder

        let names = Names()
        let isLive = live && Terminal.current.isTerminal
        let level: Logger.Level = isLive ? .error : debug ? .debug : .info
        let logger = Logger(label: "beacond") { _ in
            LineLogHandler(level: level, isJournal: environment["JOURNAL_STREAM"] != nil)
        }
        let presenter: any Presenter =
            isLive ? LivePresenter(names: names) : LogPresenter(logger: logger, names: names)
        try await Daemon(configuration, names: names, presenter: presenter, logger: logger).run()
        try recorder?.finish()
    }
}
