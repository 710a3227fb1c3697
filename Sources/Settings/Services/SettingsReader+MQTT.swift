import Glibc
import Text

extension SettingsReader {
    /// The settings below `mqtt`; nil where no broker is named, or where something is wrong, which is then noted.
    package mutating func mqttSettings(stateDirectory: String) -> MQTTSettings? {
        var settings = values.mqtt.settings
        if settings.discoveryPrefix == "none" { settings.discoveryPrefix = nil }
        settings.password = secret(\.mqtt.passwordFile, credential: "mqtt-password")
        _ = pemFile(\.mqtt.settings.authorityFile, holding: "CERTIFICATE")
        _ = pemFile(\.mqtt.settings.certificateFile, holding: "CERTIFICATE")
        if let keyFile = pemFile(\.mqtt.settings.keyFile, holding: "PRIVATE KEY"), FileFacts.isOpenToOthers(keyFile) {
            warn(\.mqtt.settings.keyFile, SecretFile.openness(keyFile))
        }
        if (settings.certificateFile == nil) != (settings.keyFile == nil) {
            complain(
                settings.certificateFile == nil ? \.mqtt.settings.keyFile : \.mqtt.settings.certificateFile,
                "a certificate and its key belong together: set both mqtt.certificate_file and mqtt.key_file")
        }
        checkPrefix(settings.topicPrefix, \.mqtt.settings.topicPrefix)
        checkPrefix(settings.discoveryPrefix, \.mqtt.settings.discoveryPrefix)
        guard let url = values.mqtt.url, let broker = reading(\.mqtt.url, { try BrokerAddress(url) }) else {
            return nil
        }
        check(broker, settings)
        settings.broker = broker
        settings.host = values.mqtt.host ?? Self.machineName
        settings.outboxFile = stateDirectory + "/mqtt-outbox"
        return settings
    }

    private mutating func checkPrefix(_ text: String?, _ path: PartialKeyPath<SettingValues>) {
        guard let text else { return }
        if !Topics.isPrefix(text) {
            complain(path, "\"\(excerpt(text))\" is no prefix of topics: no +, #, $ or spaces, and no / at an end")
        }
    }

    private mutating func check(_ broker: BrokerAddress, _ settings: MQTTSettings) {
        if !broker.isSecure {
            let (cause, remedy) = ("mqtt.url has no TLS", "write mqtts://")
            if settings.authorityFile != nil {
                complain(\.mqtt.settings.authorityFile, cause, remedy: remedy)
            } else if settings.keyFile != nil {
                complain(\.mqtt.settings.keyFile, cause, remedy: remedy)
            }
        }
        guard settings.password != nil else { return }
        if broker.user == nil {
            complain(\.mqtt.url, "names no user for the password, as in mqtt://USER@HOST")
        }
        let far = broker.nodes.first { !HostPort(host: $0.host, port: nil).isLoopback }
        if !broker.isSecure, let far {
            warn(\.mqtt.url, "anyone on the way to \(far.host) can read the password: use mqtts://")
        }
    }

    /// Up to the first dot, as people call it.
    package static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "localhost"
    }
}
