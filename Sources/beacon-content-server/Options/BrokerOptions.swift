import ArgumentParser
import Broker
import Console
import ContentServer
import Platform
import Settings

/// From where reports are taken over MQTT.
struct BrokerOptions: ParsableArguments {
    @Option(name: ServerOption.broker.name, help: ServerOption.broker.help)
    var mqtt: String?
    @Option(name: ServerOption.brokerPassword.name, help: ServerOption.brokerPassword.help)
    var mqttPasswordFile: String?
    @Option(name: ServerOption.brokerAuthority.name, help: ServerOption.brokerAuthority.help)
    var mqttCaFile: String?
    @Option(name: ServerOption.brokerCertificate.name, help: ServerOption.brokerCertificate.help)
    var mqttCertificateFile: String?
    @Option(name: ServerOption.brokerKey.name, help: ServerOption.brokerKey.help)
    var mqttKeyFile: String?
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
        let certificate = ServerOption.brokerCertificate.value(mqttCertificateFile)
        let key = ServerOption.brokerKey.value(mqttKeyFile)
        let name = ServerOption.brokerClient.value(mqttClient)
        guard let url = ServerOption.broker.value(mqtt) else {
            for (option, value) in [
                (ServerOption.brokerPassword, passwordFile), (.brokerAuthority, authority),
                (.brokerCertificate, certificate), (.brokerKey, key), (.brokerClient, name),
            ] where value != nil {
                throw CommandFailure.usage(
                    "--\(option.rawValue) is for a broker, and none is named; name it with --mqtt")
            }
            return nil
        }
        let prefix = ServerOption.topicPrefix.value(mqttTopicPrefix) ?? ""
        do {
            var login = try BrokerLogin(
                url: url, client: name ?? Topics.level("beacon-content-server-\(SettingsReader.machineName)"),
                authorityFile: authority, certificateFile: certificate, keyFile: key,
                hasPassword: passwordFile != nil,
                names: .init(
                    url: "--mqtt", client: "--mqtt-client", password: "--mqtt-password-file",
                    authority: "--mqtt-ca-file", certificate: "--mqtt-certificate-file", key: "--mqtt-key-file",
                    service: .contentServer))
            login.password = try passwordFile.map { try Secrets.firstLine(of: $0, for: .contentServer) }
            try BrokerLogin.requirePrefix(prefix, option: "--mqtt-topic-prefix")
            return ReportBroker(login, topicPrefix: prefix)
        } catch let mistake as BrokerOptionMistake {
            throw CommandFailure.usage(mistake.description)
        }
    }
}
