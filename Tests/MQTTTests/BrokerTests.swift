import Beacon
import Content
import Events
import Foundation
import Logging
import MQTT
import Ranging
import ServiceLifecycle
import Settings
import TestSupport
import Testing

/// A message as a subscriber got it.
private struct Message {
    var isRetained: Bool
    var topic: String
    var payload: String

    init?(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        isRetained = parts[0] == "1"
        topic = String(parts[2])
        payload = String(parts[3])
    }

    /// A number in the payload.
    func number(_ key: String) -> Int? {
        let object = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
        return object?[key] as? Int
    }
}

extension RunningProgram {
    fileprivate var messages: [Message] { lines.compactMap(Message.init) }

    /// The numbers of the events, in the order in which they came, each once.
    fileprivate var eventIDs: [Int] {
        var seen: Set<Int> = []
        return messages.filter { $0.topic.contains("/events/") }.compactMap { $0.number("id") }
            .filter { seen.insert($0).inserted }
    }
}

/// The service with a hub that a test feeds.
private final class Bench: Sendable {
    let hub = EventHub(names: Names())
    let settings: MQTTSettings
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    init(_ settings: MQTTSettings) {
        self.settings = settings
        let group = ServiceGroup(
            services: [MQTTService(settings, hub: hub, version: "1.2.3")], logger: Logger(label: "test"))
        self.group = group
        task = Task { try await group.run() }
    }

    static func settings(
        _ broker: Mosquitto, folder: String? = nil, scheme: String = "mqtt", user: String = ""
    ) throws -> MQTTSettings {
        MQTTSettings(
            broker: try BrokerAddress("\(scheme)://\(user)127.0.0.1:\(broker.port)"), host: "pi",
            outboxFile: try (folder ?? temporaryFolder("mqtt")) + "/mqtt-outbox")
    }

    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
    }

    /// Events with texts that tell them apart.
    func notice(_ range: Range<Int>) {
        for number in range { hub.publish(.over(source: "source \(number)")) }
    }

    /// All events so far.
    private var records: [EventRecord] {
        let all = hub.subscribe(after: 0)
        var records: [EventRecord] = []
        while let batch = all.take().batch, !batch.records.isEmpty { records += batch.records }
        return records
    }

    /// The numbers of all events so far.
    var ids: [Int] { records.map { Int($0.id) } }

    /// - Parameter regions: whether somebody is inside, by name.
    func rank(_ minors: UInt16..., isBlind: Bool = false, isSettled: Bool = true, regions: [String: Bool]? = nil) {
        let beacons = minors.enumerated().map { index, minor in
            RangedBeacon(
                rank: index + 1, id: BeaconID(uuid: ProximityUUID(7), major: 1, minor: minor), rssi: -60,
                filteredRSSI: -60, measuredPower: -59, distance: nil, proximity: .near,
                lastSeen: Timestamp(microseconds: 1), count: 1)
        }
        hub.publish(
            Ranking(time: Timestamp(microseconds: 2), nearest: beacons.first?.id, beacons: beacons), isBlind: isBlind,
            isSettled: isSettled,
            regions: regions?.map { name, isInside in
                RegionState(
                    region: BeaconRegion(identifier: name, constraint: BeaconConstraint(uuid: ProximityUUID(7))),
                    beacons: isInside ? 1 : 0, since: isInside ? Timestamp(microseconds: 1) : nil)
            })
    }

    /// What was told of troubles with the broker.
    var troubles: [String] {
        records.compactMap {
            switch $0.event {
            case .trouble(_, let problem, _): problem
            case .mended: "mended"
            default: nil
            }
        }
    }
}

@Suite("With a real broker", .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
struct BrokerTests {
    private let path = "beacond/pi/ranging/00000000-0000-0000-0000-000000000007/1"

    @Test("subscribers see states and events, and the end")
    func subscribersSee() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let subscriber = try broker.subscriber("beacond/#")
        try await subscribed(subscriber, broker)
        let bench = Bench(try Bench.settings(broker))
        bench.rank(1, 2)
        bench.notice(0..<50)
        try await subscriber.waitUntil("all is there") {
            $0.eventIDs.count >= 50 && $0.messages.contains { $0.topic == "beacond/pi/nearest" }
                && $0.messages.contains { $0.topic.hasSuffix("1/2") }
                && $0.messages.contains { $0.topic.hasSuffix("/scanner") }
        }
        bench.rank(1)
        try await subscriber.waitUntil("the state of the beacon that exited is taken back") {
            $0.messages.contains { $0.topic == path + "/2" && $0.payload.isEmpty }
        }
        try await bench.stop()
        try await subscriber.waitUntil("it says that it is offline") {
            $0.messages.contains { $0.payload == "offline" }
        }
        #expect(subscriber.eventIDs == bench.ids)
        #expect(subscriber.messages.first { $0.topic.hasPrefix("beacond/pi/status") }?.payload == "online")

        // What a client finds that comes later.
        let later = try broker.subscriber("beacond/#")
        try await later.waitUntil("what is retained is there") { later in
            ["beacond/pi/status", path + "/1"].allSatisfy { topic in later.messages.contains { $0.topic == topic } }
        }
        _ = try await running.stop()
        let retained = later.messages
        #expect(retained.allSatisfy { $0.isRetained })
        #expect(retained.contains { $0.topic == "beacond/pi/status" && $0.payload == "offline" })
        #expect(retained.contains { $0.topic == path + "/1" })
        #expect(!retained.contains { $0.topic == path + "/2" || $0.topic.contains("/events/") })
    }

    @Test("a region that was left while the daemon was down is outside when that is known")
    func regions() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let first = Bench(try Bench.settings(broker))
        let subscriber = try broker.subscriber("beacond/pi/regions/+")
        func isThere(_ program: RunningProgram, _ region: String, _ text: String) -> Bool {
            program.messages.contains { $0.topic == "beacond/pi/regions/\(region)" && $0.payload.contains(text) }
        }
        first.rank(1, regions: ["hall": true, "shop": true, "attic": true])
        try await subscriber.waitUntil("all are inside") { program in
            ["hall", "shop", "attic"].allSatisfy { isThere(program, $0, #""inside""#) }
        }
        try await first.stop()

        let second = Bench(try Bench.settings(broker))
        second.rank(1, isSettled: false, regions: ["hall": true, "shop": false])
        try await subscriber.waitUntil("one is gone") {
            $0.messages.contains { $0.topic.hasSuffix("/attic") && $0.payload.isEmpty }
        }
        #expect(!isThere(subscriber, "shop", #""outside""#), "it may only not have been received yet")
        second.rank(1)
        try await subscriber.waitUntil("one is outside") { isThere($0, "shop", #""outside""#) }
        #expect(!isThere(subscriber, "hall", #""outside""#))
        try await second.stop()
        _ = try await running.stop()
    }

    @Test("the scanner's state has the current revision, also of the first list")
    func revision() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let subscriber = try broker.subscriber("beacond/pi/scanner")
        var settings = try Bench.settings(broker)
        // Only a scanner of a fleet shows it.
        settings.fleet = FleetPlace(room: "Hall")
        let bench = Bench(settings)
        bench.rank(1)
        for revision in 5...7 {
            var status = SiteStatus()
            status.revision = Int64(revision)
            // The event about a changed list comes first.
            if revision > 5 { bench.hub.publish(.site(.changed(revision: Int64(revision)))) }
            bench.hub.publish(status)
            bench.rank(1)
            try await subscriber.waitUntil("it has revision \(revision)") {
                $0.messages.last?.number("revision") == revision
            }
        }
        try await bench.stop()
        _ = try await running.stop()
    }

    @Test("a source that a reload has removed is not told of as one of the scanner's any more")
    func removedSource() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let bench = Bench(try Bench.settings(broker))
        let subscriber = try broker.subscriber("beacond/pi/scanner")
        for source in ["hci0", "hci1"] { bench.hub.publish(.listening(source: source, how: "well")) }
        try await subscriber.waitUntil("both are there") {
            $0.messages.last?.payload.contains(#""source":"hci1""#) == true
        }
        bench.hub.keepSources(["hci0"])
        bench.hub.publish(.configuration(isGood: true, ["source hci1 ended"]))
        try await subscriber.waitUntil("one is gone") {
            $0.messages.last?.payload.contains(#""source":"hci1""#) == false
        }
        #expect(subscriber.messages.last?.payload.contains(#""source":"hci0""#) == true)
        try await bench.stop()
        _ = try await running.stop()
    }

    @Test("no event is lost and none out of order while the broker is away")
    func noEvent() async throws {
        let broker = try Mosquitto()
        var running = try await broker.start()
        let subscriber = try broker.subscriber("beacond/pi/events/#", "beacond/pi/nearest")
        try await subscribed(subscriber, broker, "beacond/pi/nearest")
        let bench = Bench(try Bench.settings(broker))
        bench.notice(0..<100)
        try await subscriber.waitUntil("the first are there") { $0.eventIDs.count >= 100 }
        for round in 1...2 {
            // Some are under way when it goes.
            bench.notice(round * 1000..<round * 1000 + 200)
            _ = try await running.stop()
            bench.notice(round * 1000 + 200..<round * 1000 + 900)
            bench.rank(UInt16(round))
            running = try await broker.start()
            try await subscriber.waitUntil("the rest is there") {
                $0.eventIDs.count >= 100 + round * 900
            }
        }
        try await subscriber.waitUntil("the newest state is there") {
            $0.messages.last { $0.topic == "beacond/pi/nearest" }?.payload.contains("\"minor\":2") == true
        }
        try await settled(bench, subscriber)
        try await bench.stop()
        let ids = bench.ids
        #expect(subscriber.eventIDs == ids)
        #expect(ids.count >= 1900)
        _ = try await running.stop()
    }

    @Test("events wait through a restart of the daemon too")
    func eventsWait() async throws {
        let broker = try Mosquitto()
        let settings = try Bench.settings(broker)
        let subscriber = try await broker.expectedSubscriber("beacond/pi/events/#")
        let first = Bench(settings)
        // While it ends, it takes no more events.
        try await waitUntil("the broker is missed") { first.troubles.count > 0 }
        first.notice(0..<300)
        try await kept(settings, "source 299")
        try await first.stop()
        let second = Bench(settings)
        second.notice(300..<600)
        let running = try await broker.start()
        try await subscriber.waitUntil("all are there") { $0.eventIDs.count >= 600 }
        try await settled(second, subscriber)
        try await second.stop()
        #expect(subscriber.eventIDs == first.ids + second.ids)
        _ = try await running.stop()
    }

    @Test("a full outbox drops the oldest and says how many")
    func fullOutbox() async throws {
        let broker = try Mosquitto()
        var settings = try Bench.settings(broker)
        settings.outboxEvents = 100
        let subscriber = try await broker.expectedSubscriber("beacond/#")
        let bench = Bench(settings)
        try await waitUntil("the broker is missed") { bench.troubles.count > 0 }
        bench.notice(0..<500)
        // Each goes to the disk before it goes anywhere else.
        try await kept(settings, "source 499")
        let running = try await broker.start()
        try await subscriber.waitUntil("the newest is there") {
            $0.messages.contains { $0.payload.contains("source 499") }
                && $0.messages.contains { $0.topic == "beacond/pi/status/details" }
        }
        try await settled(bench, subscriber)
        try await bench.stop()
        let ids = bench.ids
        let seen = subscriber.eventIDs
        #expect(seen == ids.suffix(seen.count))
        let details = try #require(subscriber.messages.last { $0.topic == "beacond/pi/status/details" })
        #expect((details.number("events_dropped") ?? 0) >= 400)
        _ = try await running.stop()
    }

    @Test("as many events in one tick as the outbox takes are all kept, and what is beyond is counted")
    func asMany() async throws {
        let broker = try Mosquitto()
        let bench = Bench(try Bench.settings(broker))
        try await waitUntil("the broker is missed") { bench.troubles.count > 0 }
        bench.notice(0..<9000)
        try await kept(bench.settings, "source 8999")
        let entries = try OutboxFile(path: bench.settings.outboxFile).read().entries
        #expect(entries.filter { $0.kind == "source" }.count == 9000)
        #expect(bench.hub.dropped.isEmpty)
        bench.notice(9000..<12_000)
        try await kept(bench.settings, "source 11999")
        try await waitUntil("it is told") { bench.troubles.contains { $0.contains("mqtt.outbox_events") } }
        // Counted batch by batch, each after it was written.
        try await waitUntil("all that is beyond is counted", state: "\(bench.hub.dropped)") {
            (bench.hub.dropped["mqtt"] ?? 0) >= 2000
        }
        #expect(bench.troubles.filter { $0.contains("mqtt.outbox_events") }.count == 1)
        try await bench.stop()
    }

    @Test("a broker that comes and goes is found again soon")
    func brokerThatComes() async throws {
        let broker = try Mosquitto()
        // Before the daemon, which would find the broker that subscribes it.
        let subscriber = try await broker.expectedSubscriber("beacond/pi/status")
        let bench = Bench(try Bench.settings(broker))
        for round in 1...4 {
            let running = try await broker.start()
            try await subscriber.waitUntil("it is there again") {
                $0.messages.filter { $0.payload == "online" }.count >= round
            }
            _ = try await running.stop()
        }
        try await bench.stop()
    }

    @Test("what a former run left is taken back")
    func whatFormer() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        try await broker.publish(path + "/1", "{}", isRetained: true)
        try await broker.publish(path + "/9", "{}", isRetained: true)
        try await broker.publish("other/pi/ranging/1/2/3", "{}", isRetained: true)
        let bench = Bench(try Bench.settings(broker))
        let subscriber = try broker.subscriber("#")
        try await subscriber.waitUntil("the daemon is there") { $0.messages.contains { $0.payload == "online" } }
        bench.rank(1)
        try await subscriber.waitUntil("the state that does not hold is gone") {
            $0.messages.contains { $0.topic == path + "/9" && $0.payload.isEmpty }
        }
        try await bench.stop()
        let later = try broker.subscriber("#")
        try await later.waitUntil("what is retained is there") { $0.messages.contains { $0.topic.hasPrefix("other/") } }
        try await later.waitUntil("what is retained is there") { $0.messages.contains { $0.topic == path + "/1" } }
        #expect(!later.messages.contains { $0.topic == path + "/9" })
        _ = try await running.stop()
    }

    @Test("a wrong password is one event, not a flood", arguments: [nil, "wrong"])
    func wrongPassword(password: String?) async throws {
        let folder = try temporaryFolder("mosquitto")
        _ = try await RunningProgram.run(
            Mosquitto.passwordProgram, ["-b", "-c", "\(folder)/passwords", "hall", "right word"])
        let broker = try Mosquitto(options: "allow_anonymous false\npassword_file \(folder)/passwords", folder: folder)
        let running = try await broker.start()
        var settings = try Bench.settings(broker, user: "hall@")
        settings.password = password
        let bench = Bench(settings)
        // Several attempts.
        try await running.waitUntil("it has refused some times") {
            $0.errors.components(separatedBy: "not authori").count > 3
        }
        let troubles = bench.troubles
        #expect(troubles.count == 1)
        #expect(troubles.first?.contains("hall") == true && troubles.first?.contains("mqtt.password_file") == true)
        #expect(troubles.first?.contains("wrong") == false)
        try await bench.stop()

        settings.password = "right word"
        let good = Bench(settings)
        good.notice(0..<3)
        let subscriber = try broker.subscriber("beacond/#", options: ["-u", "hall", "-P", "right word"])
        try await subscriber.waitUntil("the daemon is there") { $0.messages.contains { $0.payload == "online" } }
        #expect(good.troubles.isEmpty)
        try await good.stop()
        _ = try await running.stop()
    }

    @Test("TLS with an authority of its own, and without")
    func tlsWithAuthority() async throws {
        let certificates = try await BrokerCertificates()
        let folder = certificates.folder
        let broker = try Mosquitto(options: certificates.brokerOptions, folder: folder)
        let running = try await broker.start()
        var settings = try Bench.settings(broker, scheme: "mqtts")
        settings.authorityFile = folder + "/ca.pem"
        settings.certificateFile = folder + "/client.pem"
        settings.keyFile = folder + "/client.key"
        let bench = Bench(settings)
        bench.notice(0..<100)
        let subscriber = try broker.subscriber("beacond/#", options: certificates.clientOptions)
        try await subscriber.waitUntil("the daemon is there") { $0.messages.contains { $0.payload == "online" } }
        try await bench.stop()
        #expect(bench.troubles.isEmpty)

        // The system does not know this authority.
        var untrusting = settings
        untrusting.authorityFile = nil
        let suspicious = Bench(untrusting)
        try await waitUntil("it refuses the broker") { !suspicious.troubles.isEmpty }
        #expect(suspicious.troubles.first?.contains("not trusted") == true, "\(suspicious.troubles)")
        #expect(suspicious.troubles.first?.contains("mqtt.ca_file") == true)
        // A Raspberry Pi without a network starts with an old clock.
        #expect(suspicious.troubles.first?.contains("clock") == true)
        try await suspicious.stop()

        var missing = settings
        missing.authorityFile = folder + "/none.pem"
        let lost = Bench(missing)
        try await waitUntil("it misses the file") { !lost.troubles.isEmpty }
        #expect(lost.troubles.first?.contains("mqtt.ca_file: \(folder)/none.pem") == true)
        try await lost.stop()

        var bare = settings
        (bare.certificateFile, bare.keyFile) = (nil, nil)
        let unknown = Bench(bare)
        try await waitUntil("it is refused without a certificate") { !unknown.troubles.isEmpty }
        #expect(
            unknown.troubles.first?.contains("asks for a certificate of this program") == true
                && unknown.troubles.first?.contains("mqtt.certificate_file") == true, "\(unknown.troubles)")
        try await unknown.stop()

        var keyOnly = settings
        keyOnly.authorityFile = folder + "/ca.key"
        let misled = Bench(keyOnly)
        try await waitUntil("it finds no certificate") { !misled.troubles.isEmpty }
        #expect(
            misled.troubles.first?.contains("mqtt.ca_file: \(folder)/ca.key has no certificate") == true,
            "\(misled.troubles)")
        try await misled.stop()

        // No TLS where TLS is expected.
        var plain = settings
        plain.broker = try BrokerAddress("mqtt://127.0.0.1:\(broker.port)")
        let talker = Bench(plain)
        try await waitUntil("it is refused") { !talker.troubles.isEmpty }
        try await talker.stop()
        _ = try await running.stop()
    }

    @Test("a broker that is not there is told of once, and its return too")
    func brokerThatIsNotThereIsTold() async throws {
        let broker = try Mosquitto()
        let bench = Bench(try Bench.settings(broker))
        try await waitUntil("it is missed") { !bench.troubles.isEmpty }
        #expect(
            bench.troubles.first?.contains("nothing listens at mqtt://127.0.0.1:\(broker.port)") == true,
            "\(bench.troubles)")
        let running = try await broker.start()
        try await waitUntil("it is found") { bench.troubles.contains("mended") }
        #expect(Set(bench.troubles).count == bench.troubles.count)
        #expect(bench.troubles.last == "mended")
        try await bench.stop()
        _ = try await running.stop()
    }

    @Test("a broker with TLS that is not there is reported by its cause, not as one that does not answer")
    func brokerWithTLSThatIsNotThere() async throws {
        let broker = try Mosquitto()
        let bench = Bench(try Bench.settings(broker, scheme: "mqtts"))
        try await waitUntil("it is missed") { !bench.troubles.isEmpty }
        #expect(
            bench.troubles.first?.contains("nothing listens at mqtts://127.0.0.1:\(broker.port)") == true,
            "\(bench.troubles)")
        try await bench.stop()
    }

    @Test("two daemons with the same name at a broker are reported by the setting to change")
    func sameName() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let benches = [Bench(try Bench.settings(broker)), Bench(try Bench.settings(broker))]
        try await waitUntil("one of them suspects it") {
            benches.contains { $0.troubles.contains { $0.contains("beacond-pi") && $0.contains("mqtt.host") } }
        }
        for bench in benches { try await bench.stop() }
        _ = try await running.stop()
    }

    @Test("a host that nobody knows is told of")
    func hostThatNobody() async throws {
        var settings = try Bench.settings(try Mosquitto())
        settings.broker = try BrokerAddress("mqtt://no-such-host.invalid")
        let bench = Bench(settings)
        try await waitUntil("it is missed") { !bench.troubles.isEmpty }
        #expect(bench.troubles.first?.contains("no-such-host.invalid") == true, "\(bench.troubles)")
        try await bench.stop()
    }

    // MARK: - Helpers

    /// Waits until nothing fails any more, which is the last event for now, and a subscriber has it.
    ///
    /// A service that ends waits for a short time only until the broker has everything, and not for subscribers.
    private func settled(_ bench: Bench, _ subscriber: RunningProgram) async throws {
        try await waitUntil("nothing fails", state: "\(bench.troubles)") { bench.hub.snapshot.failing.isEmpty }
        try await subscriber.waitUntil("it has the last event") { $0.eventIDs.last == bench.ids.last }
    }

    /// Waits until an event is on the disk.
    private func kept(_ settings: MQTTSettings, _ text: String) async throws {
        try await waitUntil("\(text) is in the outbox") {
            try OutboxFile(path: settings.outboxFile).read().entries.contains { $0.json.contains("\"\(text)\"") }
        }
    }

    /// Waits until a subscriber is really subscribed.
    private func subscribed(
        _ subscriber: RunningProgram, _ broker: Mosquitto, _ topic: String = "beacond/test"
    ) async throws {
        try await waitUntil("it is subscribed") {
            try await broker.publish(topic, "{}")
            return !subscriber.lines.isEmpty
        }
    }
}
