import Glibc
import Settings

extension MQTTSettings {
    /// The settings below `mqtt`; nil where no broker is named, or where something is wrong, which is then noted.
    init?(_ values: inout Values, stateDirectory: String) {
        let password = values.secret(.mqttPasswordFile, credential: "mqtt-password")
        let authorityFile = values.pemFile(.mqttAuthorityFile, holding: "CERTIFICATE")
        let certificateFile = values.pemFile(.mqttCertificateFile, holding: "CERTIFICATE")
        let keyFile = values.pemFile(.mqttKeyFile, holding: "PRIVATE KEY")
        if let keyFile, FileFacts.isOpenToOthers(keyFile) { values.warn(.mqttKeyFile, SecretFile.openness(keyFile)) }
        if (certificateFile == nil) != (keyFile == nil) {
            values.complain(
                certificateFile == nil ? .mqttKeyFile : .mqttCertificateFile,
                "a certificate and its key belong together: set both mqtt.certificate_file and mqtt.key_file")
        }
        Self.checkPrefixes(&values)
        guard let url = values.text(.mqttURL),
            let broker = values.reading(.mqttURL, { try BrokerAddress(url) })
        else { return nil }
        Self.check(broker, hasPassword: password != nil, &values)
        self.init(
            broker: broker, host: values.text(.mqttHost) ?? Self.machineName,
            outboxFile: stateDirectory + "/mqtt-outbox")
        self.password = password
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        if let prefix = values.text(.mqttTopicPrefix) { topicPrefix = prefix }
        if let quality = values.integer(.mqttQuality) { qualityOfService = quality }
        if let interval = values.number(.mqttRangingInterval) { rangingInterval = interval }
        discoveryPrefix = values.text(.mqttHomeAssistant)
        if let events = values.integer(.mqttOutboxEvents) { outboxEvents = events }
    }

    private static func checkPrefixes(_ values: inout Values) {
        for key in [ConfigurationKey.mqttTopicPrefix, .mqttHomeAssistant] {
            guard let text = values.text(key) else { continue }
            if text.contains(where: { "+#$ ".contains($0) }) || text.hasPrefix("/") || text.hasSuffix("/") {
                values.complain(
                    key, "\"\(text)\" is no prefix of topics: no +, #, $ or spaces, and no / at an end")
            }
        }
    }

    private static func check(_ broker: BrokerAddress, hasPassword: Bool, _ values: inout Values) {
        let needsTLS = [ConfigurationKey.mqttAuthorityFile, .mqttKeyFile].first { values.text($0) != nil }
        if !broker.isSecure, let key = needsTLS {
            values.complain(key, "mqtt.url has no TLS; write mqtts://")
        }
        guard hasPassword else { return }
        if broker.user == nil {
            values.complain(.mqttURL, "names no user for the password, as in mqtt://USER@HOST")
        }
        if !broker.isSecure, !LoopbackHost.isMeant(by: broker.host) {
            values.warn(.mqttURL, "whoever is on the way to \(broker.host) can read the password: use mqtts://")
        }
    }

    /// Up to the first dot, as people call it.
    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "localhost"
    }
}
