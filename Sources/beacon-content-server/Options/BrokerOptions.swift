import ArgumentParser
import Broker
import Console
import ContentServer
import Settings

/// From where reports are taken over MQTT.
struct BrokerOptions: ParsableArguments {
    @Option(name: ServerOption.broker.name, help: ServerOption.broker.help)
    var mqtt: String?
    @Option(name: ServerOption.brokerPassword.name, help: ServerOption.brokerPassword.help)
    var mqttPasswordFile: String?
    @Option(name: ServerOption.brokerAuthority.name, help: ServerOption.brokerAuthority.help)
    var mqttCaFile: String?
    @Option(name: ServerOption.brokerClient.name, help: ServerOption.brokerClient.help)
    var mqttClient: String?
    @Option(name: ServerOption.topicPrefix.name, help: ServerOption.topicPrefix.help)
    var mqttTopicPrefix: String?

    /// Nil if there is none.
    ///
    /// - Throws: `CommandFailure`.
    func reportBroker() throws -> ReportBroker? {
        let passwordFile = ServerOption.brokerPassword.value(mqttPasswordFile)
        let authority = ServerOption.brokerAuthority.value(mqttCaFile)
        let name = ServerOption.brokerClient.value(mqttClient)
        guard let url = ServerOption.broker.value(mqtt) else {
            for (option, value) in [
                (ServerOption.brokerPassword, passwordFile), (.brokerAuthority, authority), (.brokerClient, name),
            ] where value != nil {
                throw CommandFailure.usage(
                    "--\(option.rawValue) is for a broker, and none is named; name it with --mqtt")
            }
            return nil
        }
        let broker = try address(url)
        var login = BrokerLogin(
            broker: broker, client: name ?? Topics.level("beacon-content-server-\(SettingsReader.machineName)"),
            names: .init(
                url: "--mqtt", client: "--mqtt-client", password: "--mqtt-password-file", authority: "--mqtt-ca-file",
                certificate: "", key: ""))
        guard Topics.level(login.client) == login.client else {
            throw CommandFailure.usage(
                "--mqtt-client \(login.client) is no name; write up to 64 letters, digits, - and _")
        }
        if authority != nil, !broker.isSecure {
            throw CommandFailure.usage("--mqtt-ca-file is for TLS, and \(broker) has none; write mqtts://")
        }
        login.authorityFile = authority
        if let passwordFile {
            guard broker.user != nil else {
                throw CommandFailure.usage("--mqtt names no user for the password; write it as mqtt://USER@HOST")
            }
            login.password = try Secrets.firstLine(of: passwordFile)
        }
        let prefix = ServerOption.topicPrefix.value(mqttTopicPrefix) ?? ""
        guard Topics.isPrefix(prefix) else {
            throw CommandFailure.usage(
                "--mqtt-topic-prefix \"\(prefix)\" is no prefix of topics; leave away +, #, $, spaces and / at an end")
        }
        return ReportBroker(login, topicPrefix: prefix)
    }

    private func address(_ url: String) throws -> BrokerAddress {
        do {
            return try BrokerAddress(url)
        } catch {
            // The daemon's setting and this option have the same form.
            let text = error.description.replacing("mqtt.password_file", with: "--mqtt-password-file")
            throw CommandFailure.usage("--mqtt: \(text); write it as mqtt://USER@HOST:1883")
        }
    }
}
