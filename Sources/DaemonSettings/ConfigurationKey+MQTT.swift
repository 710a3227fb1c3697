// Which broker is told, and what.
extension ConfigurationKey {
    static let mqttURL = ConfigurationKey(
        "mqtt.url", .text, "The MQTT broker: mqtt://USER@HOST:1883, or mqtts:// with TLS. Without it none is told.")
    static let mqttPasswordFile = ConfigurationKey("mqtt.password_file", .path, "A file that holds the password.")
    static let mqttAuthorityFile = ConfigurationKey(
        "mqtt.ca_file", .path, "Certificates to trust instead of the system's.")
    static let mqttCertificateFile = ConfigurationKey(
        "mqtt.certificate_file", .path, "This client's own certificate, where the broker asks for one.")
    static let mqttKeyFile = ConfigurationKey("mqtt.key_file", .path, "The key of that certificate, not encrypted.")
    static let mqttTopicPrefix = ConfigurationKey("mqtt.topic_prefix", .text, "The first level of every topic.")
    static let mqttHost = ConfigurationKey(
        "mqtt.host", .text, "What this scanner is called in topics and in Home Assistant: the second level.")
    static let mqttQuality = ConfigurationKey(
        "mqtt.qos", .integer(0...2), "Quality of service of what is retained; events always go at least once.")
    static let mqttRangingInterval = ConfigurationKey(
        "mqtt.ranging_interval_s", .number(0...3600), "Seconds between two states of the same beacon; 0 for none.")
    static let mqttHomeAssistant = ConfigurationKey(
        "mqtt.home_assistant", .text, "Announce scanner and beacons to Home Assistant below this prefix.")
    static let mqttOutboxEvents = ConfigurationKey(
        "mqtt.outbox_events", .integer(1...1_000_000), "Events that wait for the broker at most.")

    static let mqtt: [ConfigurationKey] = [
        mqttURL, mqttPasswordFile, mqttAuthorityFile, mqttCertificateFile, mqttKeyFile, mqttTopicPrefix, mqttHost,
        mqttQuality, mqttRangingInterval, mqttHomeAssistant, mqttOutboxEvents,
    ]
}
