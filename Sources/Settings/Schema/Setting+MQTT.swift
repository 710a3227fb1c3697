// Which broker events and states are published to, and how.
extension Setting {
    static let mqtt: [Setting] = [
        Setting(
            "mqtt.url", .text(\.mqtt.url), .restarts(["mqtt"]),
            "the MQTT broker that gets everything ([MQTT](mqtt.md)): `mqtt://USER@HOST:1883`, or `mqtts://` "
                + "with TLS (port 8883). The nodes of a cluster are listed with commas "
                + "(`mqtt://USER@HOST1,HOST2:1884`): if one fails, the next is used. Without the setting no broker is "
                + "used"),
        Setting(
            "mqtt.password_file", .file(\.mqtt.passwordFile), .restarts(["mqtt"]),
            "a file that holds the user's password; without it, the credential `mqtt-password` that systemd hands "
                + "over (`LoadCredential=mqtt-password:FILE`)"),
        Setting(
            "mqtt.ca_file", .file(\.mqtt.settings.authorityFile), .restarts(["mqtt"]),
            "certificates in PEM form that are trusted instead of the system's"),
        Setting(
            "mqtt.certificate_file", .file(\.mqtt.settings.certificateFile), .restarts(["mqtt"]),
            "this client's own certificate in PEM form, where the broker asks for one"),
        Setting(
            "mqtt.key_file", .file(\.mqtt.settings.keyFile), .restarts(["mqtt"]),
            "the key of that certificate, not encrypted"),
        Setting(
            "mqtt.topic_prefix", .word(\.mqtt.settings.topicPrefix), .restarts(["mqtt"]),
            "the first level (or levels) of every topic"),
        Setting(
            "mqtt.host", .text(\.mqtt.host), .restarts(["mqtt"]), unset: "the machine's name up to the first dot",
            "this scanner's name in topics (the level after the prefix) and in Home Assistant; no two scanners "
                + "at a broker may have the same"),
        Setting(
            "mqtt.qos", .count(0...2, \.mqtt.settings.qualityOfService), .restarts(["mqtt"]),
            "quality of service of what is retained: 0, 1 or 2. Events always go at least once (1)"),
        Setting(
            "mqtt.ranging_interval_s", .number(0...3600, \.mqtt.settings.rangingInterval), .restarts(["mqtt"]),
            "seconds between two states of the same beacon; `0` for no states of beacons"),
        Setting(
            "mqtt.home_assistant", .text(\.mqtt.settings.discoveryPrefix), .restarts(["mqtt"]),
            "announce the scanner and all beacons with a name to Home Assistant below this prefix, which is "
                + "`homeassistant` there unless it was changed; `none` to announce nothing"),
        Setting(
            "mqtt.unnamed_beacons", .flag(\.mqtt.settings.includesUnnamed), .restarts(["mqtt"]),
            "also publish the presence of beacons without a name, and announce them: the first 100 that are received "
                + "steadily, each until it has not been received for a day"),
        Setting(
            "mqtt.outbox_events", .count(1...1_000_000, \.mqtt.settings.outboxEvents), .restarts(["mqtt"]),
            "the maximum number of events that wait on the disk for the broker; if there are more, the oldest "
                + "are dropped, and counted in `status/details`"),
    ]
}
