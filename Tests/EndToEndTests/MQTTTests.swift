import Foundation
import TestSupport
import Testing

@Suite("MQTT, of the daemon", .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
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

    @Test("with nothing but a broker, Home Assistant is told of a sensor, and of a beacon as soon as it has a name")
    func nothingButABroker() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let subscriber = try broker.subscriber("homeassistant/#")
        let folder = try temporaryFolder("mqtt-daemon")
        let scenario = """
            beacons: [{uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096, major: 1, minor: 7, measured_power: -59, position: [0, 1]}]

            """
        try scenario.write(toFile: "\(folder)/one.yaml", atomically: true, encoding: .utf8)
        let text = """
            sources: ['sim:one.yaml']
            directories: {state: \(folder)/state, cache: \(folder)/cache}
            mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}

            """
        try text.write(toFile: "\(folder)/beacond.yaml", atomically: true, encoding: .utf8)
        let socket = "\(folder)/control.sock"
        let daemon = try RunningProgram(Programs.beacond, ["--config", "\(folder)/beacond.yaml", "--socket", socket])
        try await subscriber.waitUntil("the scanner's sensor is announced") {
            $0.lines.contains { $0.contains("/nearest/config {") }
        }
        // It may be made after the broker was told.
        try await daemon.waitUntil("its socket is there") { _ in FileManager.default.fileExists(atPath: socket) }
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["name", "1.7", "Star Globe", "--config", "\(folder)/beacond.yaml", "--socket", socket])
        #expect(end.status == 0, "\(end.errors)")
        try await subscriber.waitUntil("the beacon's are announced by its name") {
            // Its distance, its presence and its health.
            $0.lines.count { $0.contains("_1_7_") && $0.contains(#""name":"Star Globe""#) } == 3
        }
        _ = try await RunningProgram.run(
            Programs.beaconctl, ["name", "1.7", "--remove", "--config", "\(folder)/beacond.yaml", "--socket", socket])
        try await subscriber.waitUntil("they are withdrawn with it") {
            $0.lines.count { $0.contains("_1_7_") && $0.hasSuffix("/config ") } == 3
        }
        _ = try await daemon.stop()
        _ = try await running.stop()
    }

    @Test("another node is used where one is not there, or is killed, and no event is lost")
    func nodes() async throws {
        let (one, two) = (try Mosquitto(), try Mosquitto())
        let folder = try temporaryFolder("mqtt-daemon")
        let firstSubscriber = try await one.expectedSubscriber("beacond/#")
        let running = [try await one.start(), try await two.start()]
        let secondSubscriber = try two.subscriber("beacond/#")
        try await running[1].waitUntil("it has subscribed") { $0.errors.contains("Sending SUBACK") }
        var arguments = try configuration(one, folder)
        let file = "\(folder)/beacond.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(
            of: "127.0.0.1:\(one.port)", with: "127.0.0.1:\(try freePort()),127.0.0.1:\(one.port),127.0.0.1:\(two.port)"
        )
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        arguments += ["--socket", "\(folder)/control.sock"]
        let daemon = try RunningProgram(Programs.beacond, arguments)
        try await firstSubscriber.waitUntil("the first that is there is used") { try !told($0.lines).isEmpty }
        let count = logged(daemon).count
        try await daemon.waitUntil("something happens") { logged($0).count > count }
        _ = try await running[0].stop(with: SIGKILL)
        try await secondSubscriber.waitUntil("the other is used") { !$0.lines.isEmpty }
        let later = logged(daemon).count
        try await daemon.waitUntil("more happens") { logged($0).count > later }
        let lines = Set(logged(daemon).dropLast())
        try await secondSubscriber.waitUntil("each event has come to one of them") {
            try lines.isSubset(of: told(firstSubscriber.lines) + told($0.lines))
        }
        _ = try await daemon.stop()
        _ = try await running[1].stop()
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
        try await first.waitUntil("more has happened") { logged($0).count > before }
        let outbox = folder + "/state/mqtt-outbox"
        let lines = logged(first)
        let last = try #require(lines.last)
        let times = lines.dropFirst(before).count { $0 == last }
        try await first.waitUntil("it is in the outbox") { _ in
            let text = (try? String(contentsOfFile: outbox, encoding: .utf8)) ?? ""
            return text.components(separatedBy: "\"text\":\"\(last)\"").count > times
        }
        _ = try await first.stop(with: SIGKILL)

        let second = try RunningProgram(Programs.beacond, arguments)
        try await second.waitUntil("it misses the broker") { $0.errors.contains("nothing listens at") }
        #expect(second.errors.components(separatedBy: "nothing listens at").count == 2)
        running = try await broker.start()
        try await subscriber.waitUntil("all that the first had noticed is told") {
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
        try await subscriber.waitUntil("it is gone") {
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
