import ArgumentParser
import Broker
import Console
import DaemonSettings
import Fleet
import Glibc
import Settings
import Text

struct FleetCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Lists the scanners of a fleet: state, room, clock, version; and its resolvers.",
        discussion: """
            Reads what the broker retains. Without --mqtt it is the broker of this machine's configuration. Exit \
            status 1 if no scanner is found.
            """)

    @OptionGroup var broker: FleetBrokerOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Configuration (default: \(DaemonConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        try FilesApart.require(broker.inputs + [InputFile.configuration(config ?? DaemonConfiguration.defaultFile)])
        let (login, prefix) = try await login()
        let view: FleetView
        do {
            view = try await FleetSurvey.view(login, prefix: prefix)
        } catch let problem as BrokerProblem {
            throw CommandFailure("\(problem)")
        }
        guard !view.scanners.isEmpty else {
            throw CommandFailure(
                "no scanner has said anything below \(prefix) at \(login.broker): is mqtt.topic_prefix the same there, "
                    + "and does a daemon run?")
        }
        let lines: [String] =
            switch result.format {
            case .table: view.lines(.current)
            case .json: view.json
            case .csv: [FleetView.csvHeading] + view.csv
            }
        try ResultFile.write(lines.map { $0 + "\n" }.joined(), to: result.output)
    }

    private func login() async throws -> (BrokerLogin, prefix: String) {
        guard !broker.isSet else {
            guard config == nil else {
                throw CommandFailure.usage("--config and --mqtt both name a broker: use one of them")
            }
            return (try broker.login("beaconctl-\(getpid())"), broker.prefix)
        }
        let configuration: DaemonConfiguration
        do {
            configuration = try await .load(file: config, environment: Environment.variables)
        } catch let error as ConfigurationError {
            throw UnusableConfiguration(error)
        }
        guard let settings = configuration.mqtt else {
            throw CommandFailure.usage(
                "this machine's configuration names no broker: name one, as in --mqtt mqtt://broker.example")
        }
        return (
            // A name that no other command has at the same time.
            settings.login(client: broker.name ?? Topics.level("beaconctl-\(getpid())-\(SettingsReader.machineName)")),
            broker.topicPrefix == nil ? Topics.prefix(settings.topicPrefix) : broker.prefix
        )
    }
}
