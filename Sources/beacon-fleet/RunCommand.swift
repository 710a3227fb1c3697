import ArgumentParser
import Broker
import Console
import Fleet
import Settings

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Resolves rooms at an MQTT broker, from the levels that scanners publish there.",
        discussion: """
            Any number can run, anywhere: all of them publish the same. One that starts takes over what the others, or \
            its predecessor, have told.
            """)

    @Option(name: .long, help: ArgumentHelp("The broker: mqtt://USER@HOST:1883, or mqtts:// with TLS.", valueName: "url"))
    var mqtt: String

    @Option(name: .long, help: ArgumentHelp("A file that holds the user's password.", valueName: "file"))
    var passwordFile: String?

    @Option(name: .long, help: ArgumentHelp("Certificates that are trusted instead of the system's, in PEM.", valueName: "file"))
    var caFile: String?

    @Option(name: .long, help: "The first levels of every topic, as in the scanners' mqtt.topic_prefix.")
    var topicPrefix = "beacond"

    @Option(name: .long, help: "What this resolver is called at the broker; by default the machine's name.")
    var name: String?

    func run() async throws {
        let login = try login()
        let service = FleetService(login, prefix: Topics.prefix(topicPrefix), name: login.client) { line in
            Program.tell("beacon-fleet: \(line)")
        }
        try await UntilStopped.run(for: nil) { try await service.run() }
    }

    private func login() throws -> BrokerLogin {
        do {
            try BrokerLogin.requirePrefix(topicPrefix, option: "--topic-prefix")
            var login = try BrokerLogin(
                url: mqtt, client: name ?? Topics.level("beacon-fleet-\(SettingsReader.machineName)"),
                authorityFile: caFile, hasPassword: passwordFile != nil,
                names: .init(
                    url: "--mqtt", client: "--name", password: "--password-file", authority: "--ca-file",
                    certificate: "", key: ""))
            login.password = try passwordFile.map(Secrets.firstLine)
            return login
        } catch let mistake as BrokerOptionMistake {
            throw CommandFailure.usage(mistake.description)
        }
    }
}
