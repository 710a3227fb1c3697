import Glibc
import MQTT

extension MQTTSettings {
    /// The settings below `mqtt`; nil where no broker is named, or where something is wrong, which is then noted.
    init?(_ values: inout Values, stateDirectory: String) {
        let password = values.secret(.mqttPasswordFile, credential: "mqtt-password")
        guard let url = values.text(.mqttURL),
            let broker = values.reading(.mqttURL, { try BrokerAddress(url) })
        else { return nil }
        self.init(
            broker: broker, host: values.text(.mqttHost) ?? Self.machineName,
            outboxFile: stateDirectory + "/mqtt-outbox")
        self.password = password
        authorityFile = values.text(.mqttAuthorityFile)
        certificateFile = values.text(.mqttCertificateFile)
        keyFile = values.text(.mqttKeyFile)
        if (certificateFile == nil) != (keyFile == nil) {
            values.problems.append(
                "\(values.place(certificateFile == nil ? .mqttKeyFile : .mqttCertificateFile)): a certificate and its key "
                    + "belong together: set both mqtt.certificate_file and mqtt.key_file")
        }
        if !broker.isSecure, let key = [ConfigurationKey.mqttAuthorityFile, .mqttKeyFile].first(where: { values.text($0) != nil }) {
            values.problems.append("\(values.place(key)): mqtt.url has no TLS; write mqtts://")
        }
        if password != nil, broker.user == nil {
            values.problems.append("\(values.place(.mqttURL)): names no user for the password, as in mqtt://USER@HOST")
        }
        if let prefix = values.text(.mqttTopicPrefix) { topicPrefix = prefix }
        if let quality = values.integer(.mqttQuality) { qualityOfService = quality }
        if let interval = values.number(.mqttRangingInterval) { rangingInterval = interval }
        discoveryPrefix = values.text(.mqttHomeAssistant)
        if let events = values.integer(.mqttOutboxEvents) { outboxEvents = events }
        for (key, text) in [(ConfigurationKey.mqttTopicPrefix, topicPrefix), (.mqttHomeAssistant, discoveryPrefix)] {
            guard let text else { continue }
            if text.contains(where: { "+#$ ".contains($0) }) || text.hasPrefix("/") || text.hasSuffix("/") {
                values.problems.append(
                    "\(values.place(key)): \"\(text)\" is no prefix of topics: no +, #, $ or spaces, and no / at an end")
            }
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
