import Foundation
import TestSupport
import Testing

@Suite("MQTT, of the daemon", .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(5)))
struct MQTTTests {
    private func configuration(_ broker: Mosquitto, _ folder: String) throws -> [String] {
        let text = """
            sources: [sim]
            directories: {state: \(folder)/state, cache: \(folder)/cache}
            mqtt:
              url: mqtt://127.0.0.1:\(broker.port)
              host: hall
              home_assistant: homeassistant
              ranging_interval_s: 1

            """
        try text.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        return ["--config", "\(folder)/beacond.yaml"]
    }

    /// What the daemon has logged of beacons, without time.
    private func logged(_ daemon: RunningProgram) -> [String] {
        daemon.errorLines.compactMap { line in
            let text = line.drop { $0 != " " }.dropFirst()
            return ["entered", "exited", "nearest"].contains { text.hasPrefix($0) } ? String(text) : nil
        }
    }

    /// The same texts in the events that a subscriber got, in order, each event once.
    private func told(_ lines: [String]) throws -> [String] {
        var seen: Set<Int> = []
        return try lines.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 3)
            guard parts.count == 4, parts[2].contains("/events/"),
                let event = try JSONSerialization.jsonObject(with: Data(parts[3].utf8)) as? [String: Any],
                let id = event["id"] as? Int, seen.insert(id).inserted,
                ["entered", "exited", "nearest"].contains(event["event"] as? String)
            else { return nil }
            return event["text"] as? String
        }
    }

    @Test("a walk is told whole though broker and daemon fail")
    func walkIsTold() async throws {
        let broker = try Mosquitto()
        let subscriber = try await broker.expectedSubscriber("beacond/#", "homeassistant/#")
        var running = try await broker.start()
        let folder = try temporaryFolder("mqtt-daemon")
        let arguments = try configuration(broker, folder)
        let first = try RunningProgram(Programs.beacond, arguments)
        try await subscriber.waitUntil("the nearest is told") { $0.lines.contains { $0.contains("/events/nearest ") } }
        try await subscriber.waitUntil("Home Assistant is told of beacons") {
            $0.lines.contains { $0.contains("homeassistant/sensor/beacond_hall/") && $0.contains("_distance/config ") }
        }
        _ = try await running.stop()

        // The visitor walks on; what is logged is in the outbox a moment later.
        let before = logged(first).count
        try await first.waitUntil("more has happened", within: .seconds(60)) { logged($0).count > before }
        let outbox = folder + "/state/mqtt-outbox"
        let last = try #require(logged(first).last)
        try await first.waitUntil("it is in the outbox") { _ in
            try String(contentsOfFile: outbox, encoding: .utf8).contains("\"text\":\"\(last)\"")
        }
        let lines = logged(first)
        _ = try await first.stop(with: SIGKILL)

        let second = try RunningProgram(Programs.beacond, arguments)
        try await second.waitUntil("it misses the broker") { $0.errors.contains("nothing listens at") }
        #expect(second.errors.components(separatedBy: "nothing listens at").count == 2)
        running = try await broker.start()
        try await subscriber.waitUntil("all that the first had noticed is told", within: .seconds(90)) {
            try told($0.lines).count > lines.count
        }
        #expect(try told(subscriber.lines).starts(with: lines))
        try await second.waitUntil("the broker's return is told") { $0.errors.contains("mqtt has recovered") }
        _ = try await second.stop()
        try await subscriber.waitUntil("the end is told") {
            $0.lines.last { $0.contains("/status ") }?.hasSuffix("offline") == true
        }
        _ = try await running.stop()
    }

    @Test("the broker says when the daemon is gone")
    func brokerSays() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let subscriber = try broker.subscriber("beacond/hall/status")
        let daemon = try RunningProgram(
            Programs.beacond, try configuration(broker, try temporaryFolder("mqtt-daemon")))
        try await subscriber.waitUntil("it is there") { $0.lines.contains { $0.hasSuffix("status online") } }
        _ = try await daemon.stop(with: SIGKILL)
        try await subscriber.waitUntil("it is gone", within: .seconds(60)) {
            $0.lines.contains { $0.hasSuffix("status offline") }
        }
        _ = try await running.stop()
    }

    @Test(
        "mistakes in its settings are told before anything begins",
        arguments: [
            ("mqtt: {url: broker}", "mqtt.url"),
            ("mqtt: {url: 'mqtt://hall:secret@broker'}", "mqtt.password_file"),
            ("mqtt: {url: 'mqtt://broker', qos: 3}", "mqtt.qos"),
            ("mqtt: {url: 'mqtt://broker', topic_prefix: 'a/#'}", "mqtt.topic_prefix"),
            ("mqtt: {url: 'mqtt://broker', ca_file: /ca.pem}", "mqtts://"),
            ("mqtt: {url: 'mqtts://broker', key_file: /key.pem}", "mqtt.certificate_file"),
            ("mqtt: {url: 'mqtt://hall@broker', password_file: /no/such/file}", "/no/such/file"),
            ("fleet: {room: Hall 1}", "set mqtt.url"),
            ("fleet: {position: [1, 2]}", "fleet.room"),
            ("mqtt: {url: 'mqtt://broker'}\nfleet: {room: Hall 1, position: [1]}", "fleet.position"),
            ("mqtt: {url: 'mqtt://broker'}\nfleet: {room: Hall 1}\nranging: {interval_s: 5}", "ranging.interval_s"),
        ])
    func mistakesInItsSettings(text: String, named: String) async throws {
        let file = try temporaryFolder("mqtt-daemon") + "/beacond.yaml"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await RunningProgram.run(Programs.beacond, ["--config", file, "--check-config"])
        #expect(run.status == 1)
        #expect(run.errors.contains(named), "\(run.errors)")
        #expect(!run.errors.contains("secret"))
    }
}
