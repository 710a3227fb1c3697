import ArgumentParser
import Broker
import Console
import Fleet
import Settings
import YAMLText

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
        guard Topics.isPrefix(topicPrefix) else {
            throw CommandFailure.usage(
                "--topic-prefix \"\(topicPrefix)\" is no prefix of topics; leave away +, #, $, spaces and / at an end")
        }
        let service = FleetService(login, prefix: Topics.prefix(topicPrefix), name: login.client) { line in
            Program.tell("beacon-fleet: \(line)")
        }
        try await UntilStopped.run(for: nil) { try await service.run() }
    }

    private func login() throws -> BrokerLogin {
        let broker: BrokerAddress
        do {
            broker = try BrokerAddress(mqtt)
        } catch {
            let text = error.description.replacing("mqtt.password_file", with: "--password-file")
            throw CommandFailure.usage("--mqtt: \(text); write it as mqtt://USER@HOST:1883")
        }
        let client = name ?? Topics.level("beacon-fleet-\(SettingsReader.machineName)")
        guard Topics.level(client) == client else {
            throw CommandFailure.usage("--name \(client) is no name; write up to 64 letters, digits, - and _")
        }
        var login = BrokerLogin(
            broker: broker, client: client,
            names: .init(
                url: "--mqtt", client: "--name", password: "--password-file", authority: "--ca-file", certificate: "",
                key: ""))
        if caFile != nil, !broker.isSecure {
            throw CommandFailure.usage("--ca-file is for TLS, and \(broker) has none; write mqtts://")
        }
        login.authorityFile = caFile
        if let passwordFile {
            guard broker.user != nil else {
                throw CommandFailure.usage("--mqtt names no user for the password; write it as mqtt://USER@HOST")
            }
            let text = try DocumentFile.text(of: passwordFile, limit: 1 << 20) ?? ""
            login.password = String(text.prefix { !$0.isNewline })
        }
        return login
    }
}
