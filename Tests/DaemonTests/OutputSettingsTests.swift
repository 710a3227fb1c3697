import Beacon
import BusService
import DaemonSettings
import Daemon
import Foundation
import Hooks
import MQTT
import Settings
import Testing

/// The settings of MQTT, D-Bus and hooks.
@Suite("The configuration of outputs", .timeLimit(.minutes(10)))
struct OutputSettingsTests {
    private let files: ConfigurationFolder

    init() throws { files = try ConfigurationFolder() }

    @Test("without settings nothing is told but the bus, where it allows that")
    func withoutSettings() async throws {
        let configuration = try await files.load("sources: [sim]")
        #expect(configuration.mqtt == nil)
        #expect(configuration.hooks == nil)
        #expect(configuration.bus?.isDemanded == false)
    }

    @Test("the bus can be demanded and refused", arguments: [("true", true as Bool?), ("false", nil)])
    func busCanBeDemanded(text: String, isDemanded: Bool?) async throws {
        #expect(try await files.load("dbus: {enabled: \(text)}").bus?.isDemanded == isDemanded)
    }

    @Test("everything about MQTT is taken")
    func everythingAbout() async throws {
        try "the pass word \nand more\n".write(toFile: files.path + "/password", atomically: true, encoding: .utf8)
        for (name, content) in [("ca", "CERTIFICATE"), ("cert", "CERTIFICATE"), ("key", "EC PRIVATE KEY")] {
            try "-----BEGIN \(content)-----\n".write(
                toFile: "\(files.path)/\(name).pem", atomically: true, encoding: .utf8)
        }
        let settings = try #require(
            try await files.load(
                """
                directories: {state: /tmp/state}
                mqtt:
                  url: mqtts://scanner@broker.example
                  password_file: \(files.path)/password
                  ca_file: \(files.path)/ca.pem
                  certificate_file: \(files.path)/cert.pem
                  key_file: \(files.path)/key.pem
                  topic_prefix: site/beacons
                  host: hall
                  qos: 0
                  ranging_interval_s: 0.5
                  home_assistant: ha
                  unnamed_beacons: true
                  outbox_events: 7
                """
            ).mqtt)
        var expected = MQTTSettings(
            broker: try BrokerAddress("mqtts://scanner@broker.example:8883"), host: "hall",
            outboxFile: "/tmp/state/mqtt-outbox")
        expected.password = "the pass word"
        expected.authorityFile = "\(files.path)/ca.pem"
        expected.certificateFile = "\(files.path)/cert.pem"
        expected.keyFile = "\(files.path)/key.pem"
        expected.topicPrefix = "site/beacons"
        expected.qualityOfService = 0
        expected.rangingInterval = 0.5
        expected.discoveryPrefix = "ha"
        expected.includesUnnamed = true
        expected.outboxEvents = 7
        #expect(settings == expected)
    }

    @Test("the password may be systemd's credential")
    func passwordMayBeSystemds() async throws {
        try "from systemd\n".write(toFile: files.path + "/mqtt-password", atomically: true, encoding: .utf8)
        let settings = try await files.load("mqtt: {url: mqtt://scanner@broker}", ["CREDENTIALS_DIRECTORY": files.path])
            .mqtt
        #expect(settings?.password == "from systemd")
    }

    @Test("a broker is all that Home Assistant needs; none announces nothing", arguments: [
        ("", "homeassistant"), (", home_assistant: none", nil), (", home_assistant: ha", "ha"),
    ] as [(String, String?)])
    func homeAssistant(more: String, prefix: String?) async throws {
        let settings = try #require(try await files.load("mqtt: {url: mqtt://broker\(more)}").mqtt)
        #expect(settings.discoveryPrefix == prefix && !settings.includesUnnamed)
    }

    @Test("a password that goes to any other host of a cluster without TLS is warned about", arguments: [
            ("mqtt://u@localhost,127.0.0.1:9", false), ("mqtt://u@localhost,far.example", true),
            ("mqtts://u@a,far.example", false),
    ])
    func clusterWarning(url: String, warns: Bool) async throws {
        try "from systemd\n".write(toFile: files.path + "/mqtt-password", atomically: true, encoding: .utf8)
        let settings = try await files.load("mqtt: {url: '\(url)'}", ["CREDENTIALS_DIRECTORY": files.path])
        #expect(settings.warnings.contains { $0.contains("far.example can read the password") } == warns)
    }

    @Test("a scanner's beacon follows from its name, or is chosen", arguments: [
        ("beacon: false, beacon_id: 1.7", nil), ("beacon: true", FleetBeacon.identity(of: "pi-1")),
        ("beacon: true, beacon_id: 1.7", BeaconID(uuid: FleetBeacon.uuid, major: 1, minor: 7)),
    ] as [(String, BeaconID?)])
    func fleetBeacon(fleet: String, beacon: BeaconID?) async throws {
        let text = "mqtt: {url: mqtt://broker, host: pi-1}\nfleet: {room: Hall, \(fleet)}"
        #expect(try await files.load(text).mqtt?.fleet?.beacon == beacon)
    }

    @Test("the machine's name stands for a host that is not said")
    func machinesName() async throws {
        let settings = try #require(try await files.load("mqtt: {url: mqtt://broker}").mqtt)
        #expect(!settings.host.isEmpty && !settings.host.contains("."))
    }

    @Test(
        "reports over MQTT go to the broker under the name that the device has there",
        arguments: [
            ([:], DeviceReportSettings(host: "hall_3", topic: "site/beacons/hall_3/report")),
            (["BEACOND_REPORTS_VIA": "http", "BEACOND_REPORTS_HOST": "h"], DeviceReportSettings(host: "h")),
            (["BEACOND_REPORTS_ENABLED": "false"], nil),
        ] as [([String: String], DeviceReportSettings?)])
    func reportsOverMQTT(environment: [String: String], expected: DeviceReportSettings?) async throws {
        let text = """
            content: {base_url: "http://h"}
            mqtt: {url: "mqtt://broker", host: "hall 3", topic_prefix: site/beacons}
            reports: {enabled: true, via: mqtt}
            """
        #expect(try await files.load(text, environment).reports == expected)
    }

    @Test("hooks are lists of a program and its arguments")
    func hooksAreLists() async throws {
        let settings = try await files.load(
            """
            hooks:
              nearest: [/bin/echo, "a b", c]
              region: [/bin/true]
              timeout_s: 5
              parallel: 3
            """
        ).hooks
        var expected = HookSettings(commands: ["nearest": ["/bin/echo", "a b", "c"], "region": ["/bin/true"]])
        expected.timeout = 5
        expected.parallel = 3
        #expect(settings == expected)
    }

    @Test("mistakes are told", arguments: [
        ("hooks: {entered: [notify]}", "hooks.entered: \"notify\" is no absolute path"),
        ("hooks: {arrived: [/bin/true]}", "arrived"), ("hooks: {timeout_s: 0, entered: [/x]}", "hooks.timeout_s"),
        ("hooks: {parallel: 0, entered: [/x]}", "hooks.parallel"), ("dbus: {enabled: perhaps}", "dbus.enabled"),
        ("mqtt: {url: 'mqtt://broker', home_assistant: '+'}", "mqtt.home_assistant"),
        ("mqtt: {url: 'mqtt://broker', topic_prefix: /a}", "mqtt.topic_prefix"),
        ("mqtt: {url: 'mqtt://broker', outbox_events: 0}", "mqtt.outbox_events"),
        ("mqtt: {url: 'mqtt://broker', ranging_interval_s: -1}", "mqtt.ranging_interval_s"),
        ("content: {base_url: 'http://h'}\nreports: {enabled: true, via: mqtt}", "reports.via: no broker"),
        ("mqtt: {url: 'mqtt://broker'}\nreports: {enabled: true, via: mqtt}", "content.base_url"),
        ("mqtt: {url: 'mqtt://broker', host: a}\nreports: {enabled: true, via: mqtt, host: b}", "reports.host: \"b\""),
        ("reports: {via: carrier-pigeon}", "reports.via"),
            (
                "fleet: {beacon: true}",
                "fleet.beacon: a scanner's beacon marks the place of the scanner; set fleet.room, too"
            ),
            (
                "mqtt: {url: 'mqtt://b'}\nfleet: {room: a, beacon: true, beacon_id: 7}",
                "fleet.beacon_id: \"7\" is not MAJOR.MINOR"
            ),
        (
            "sources: ['hci0:user']\nmqtt: {url: 'mqtt://b'}\nfleet: {room: a, beacon: true}",
            "fleet.beacon: no source can send while it listens; use hci0 or bluez:hci0 in sources"
        ),
    ])
    func mistakesAreTold(yaml: String, told: String) async throws {
        do {
            _ = try await files.load(yaml)
            Issue.record("\(yaml) is taken")
        } catch {
            #expect("\(error)".contains(told), "\(error)")
        }
    }
}
