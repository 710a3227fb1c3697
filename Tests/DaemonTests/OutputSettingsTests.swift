import BusService
import Daemon
import Foundation
import Hooks
import MQTT
import Testing

/// The settings of MQTT, D-Bus and hooks.
@Suite("The configuration of outputs")
struct OutputSettingsTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func load(_ yaml: String, _ environment: [String: String] = [:]) async throws -> DaemonConfiguration {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try yaml.write(toFile: folder + "/beacond.yaml", atomically: true, encoding: .utf8)
        return try await DaemonConfiguration.load(file: folder + "/beacond.yaml", environment: environment)
    }

    @Test func `without settings nothing is told but the bus, where it allows that`() async throws {
        let configuration = try await load("sources: [sim]")
        #expect(configuration.mqtt == nil)
        #expect(configuration.hooks == nil)
        #expect(configuration.bus?.isDemanded == false)
    }

    @Test(arguments: [("true", true as Bool?), ("false", nil)])
    func `the bus can be demanded and refused`(text: String, isDemanded: Bool?) async throws {
        #expect(try await load("dbus: {enabled: \(text)}").bus?.isDemanded == isDemanded)
    }

    @Test func `everything about MQTT is taken`() async throws {
        try "the pass word \nand more\n".write(toFile: folder + "/password", atomically: true, encoding: .utf8)
        let settings = try #require(
            try await load(
                """
                directories: {state: /tmp/state}
                mqtt:
                  url: mqtts://scanner@broker.example
                  password_file: \(folder)/password
                  ca_file: /ca.pem
                  certificate_file: /cert.pem
                  key_file: /key.pem
                  topic_prefix: site/beacons
                  host: hall
                  qos: 0
                  ranging_interval_s: 0.5
                  home_assistant: homeassistant
                  outbox_events: 7
                """
            ).mqtt)
        var expected = MQTTSettings(
            broker: try BrokerAddress("mqtts://scanner@broker.example:8883"), host: "hall",
            outboxFile: "/tmp/state/mqtt-outbox")
        expected.password = "the pass word"
        expected.authorityFile = "/ca.pem"
        expected.certificateFile = "/cert.pem"
        expected.keyFile = "/key.pem"
        expected.topicPrefix = "site/beacons"
        expected.qualityOfService = 0
        expected.rangingInterval = 0.5
        expected.discoveryPrefix = "homeassistant"
        expected.outboxEvents = 7
        #expect(settings == expected)
    }

    @Test func `the password may be systemd's credential`() async throws {
        try "from systemd\n".write(toFile: folder + "/mqtt-password", atomically: true, encoding: .utf8)
        let settings = try await load("mqtt: {url: mqtt://scanner@broker}", ["CREDENTIALS_DIRECTORY": folder]).mqtt
        #expect(settings?.password == "from systemd")
    }

    @Test func `the machine's name stands for a host that is not said`() async throws {
        let settings = try #require(try await load("mqtt: {url: mqtt://broker}").mqtt)
        #expect(!settings.host.isEmpty && !settings.host.contains("."))
    }

    @Test func `hooks are lists of a program and its arguments`() async throws {
        let settings = try await load(
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

    @Test(arguments: [
        ("hooks: {entered: [notify]}", "hooks.entered: \"notify\" is no absolute path"),
        ("hooks: {arrived: [/bin/true]}", "arrived"), ("hooks: {timeout_s: 0, entered: [/x]}", "hooks.timeout_s"),
        ("hooks: {parallel: 0, entered: [/x]}", "hooks.parallel"), ("dbus: {enabled: perhaps}", "dbus.enabled"),
        ("mqtt: {url: 'mqtt://broker', home_assistant: '+'}", "mqtt.home_assistant"),
        ("mqtt: {url: 'mqtt://broker', topic_prefix: /a}", "mqtt.topic_prefix"),
        ("mqtt: {url: 'mqtt://broker', outbox_events: 0}", "mqtt.outbox_events"),
        ("mqtt: {url: 'mqtt://broker', ranging_interval_s: -1}", "mqtt.ranging_interval_s"),
    ])
    func `mistakes are told`(yaml: String, told: String) async throws {
        do {
            _ = try await load(yaml)
            Issue.record("\(yaml) is taken")
        } catch {
            #expect("\(error)".contains(told), "\(error)")
        }
    }
}
