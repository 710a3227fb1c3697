import Beacon
import Foundation
import TestSupport
import Testing

@Suite(
    "Reports over MQTT, from devices to the curators' pages", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"),
    .enabled(if: Programs.installed("python3") != nil, "python3 is not installed"), .timeLimit(.minutes(10)))
struct ReportsOverMQTTTests {
    @Test("are shown, and each is counted once though the broker is killed and the server is away")
    func outages() async throws {
        // A broker that is killed has to know afterwards what the server reads.
        let options = "allow_anonymous true\nautosave_on_changes true\nautosave_interval 1"
        let museum = try await Museum(broker: Mosquitto(options: options))
        var broker = try await museum.broker.start()
        let reader = try museum.broker.subscriber("beacond/+/report")
        try await broker.waitUntil("it has subscribed") { $0.errors.contains("Sending SUBACK") }
        var server = try await museum.serve()
        let devices = try ["hall-1", "hall-2"].map { try museum.device($0) }
        let first = try await museum.stored("both have reported, and a visitor has stayed") {
            $0.ends.count == 2 && $0.seconds > 0
        }
        let shown = try await museum.shown(at: try await Museum.address(of: server))
        for host in ["hall-1", "hall-2"] {
            #expect(shown.hosts.contains(host))
            #expect(shown.page.contains(host))
        }

        _ = try await broker.stop(with: SIGKILL)
        for host in ["hall-1", "hall-2"] {
            try await waitUntil("reports of \(host) wait") { try await museum.status(host).waiting >= 2 }
        }
        try await waitUntil("beaconctl says what is wrong") {
            try await museum.status("hall-1").problem?.contains("the broker does not take reports") == true
        }
        let away = try await museum.state()
        broker = try await museum.broker.start()
        let second = try await museum.stored("what has waited is there") { now in
            ["hall-1", "hall-2"].allSatisfy { (now.ends[$0] ?? 0) > (away.ends[$0] ?? 0) + 25 }
        }
        try await waitUntil("nothing waits, and nothing is wrong") {
            let status = try await museum.status("hall-1")
            return status.waiting <= 1 && status.problem == nil && status.last != nil
        }
        try await expectWhole(first, second, sent: reader)

        // What comes while the server is away, the broker keeps.
        #expect(try await server.stop().status == 0)
        let before = Self.taken(broker)
        try await broker.waitUntil("it has taken reports") { Self.taken($0) >= before + 4 }
        server = try await museum.serve()
        let third = try await museum.stored("they are there") { now in
            ["hall-1", "hall-2"].allSatisfy { (now.ends[$0] ?? 0) > (second.ends[$0] ?? 0) + 25 }
        }
        try await expectWhole(second, third, sent: reader)
        for device in devices { _ = try await device.stop() }
        _ = try await reader.stop()
        #expect(try await server.stop().status == 0)
        _ = try await broker.stop()
    }

    /// How many reports a broker has taken of devices.
    private static func taken(_ broker: RunningProgram) -> Int {
        broker.errorLines.count { $0.contains("Received PUBLISH from beacond-") && $0.contains("/report'") }
    }

    /// Of what devices have sent until the newest report that is stored, nothing is lost, and each counts once. The
    /// visitor is always at the beacon, but a busy machine may keep a device from hearing it for a while.
    ///
    /// - Parameter reader: gets the reports from the broker as the server does.
    private func expectWhole(
        _ before: Museum.Stored, _ after: Museum.Stored, sent reader: RunningProgram
    ) async throws {
        let stored = Set(after.reports)
        #expect(stored.count == after.reports.count)
        let sent = try await eventually("the reader has what is stored", state: "\(stored)") {
            let sent = Museum.reports(of: reader)
            return stored.allSatisfy { sent[$0] != nil } ? sent : nil
        }
        for (host, newest) in after.ends {
            let own = sent.filter { $0.key.host == host && $0.value.end <= Int((newest * 1e6).rounded()) }
                .sorted { $0.key.start < $1.key.start }
            #expect(own.allSatisfy { stored.contains($0.key) }, "\(own) \(stored)")
            // Each report begins where the last one ended. One that is lost would be five seconds or more.
            let gaps = zip(own, own.dropFirst()).map { abs($1.key.start - $0.value.end) }
            #expect(own.count > 1 && gaps.allSatisfy { $0 < 2_000_000 }, "\(host): gaps of \(gaps) µs")
        }
        let stays = stored.subtracting(before.reports).reduce(0) { $0 + (sent[$1]?.seconds ?? 0) }
        #expect(abs(after.seconds - before.seconds - stays) < 0.05, "\(after.seconds - before.seconds) s of \(stays) s")
        let time = after.ends.reduce(0) { $0 + $1.value - (before.ends[$1.key] ?? 0) }
        #expect(stays > 0 && stays < time + 9, "\(stays) s in \(time) s")
    }

    @Test("a device reports only as itself, and what is no report does no harm")
    func hostile() async throws {
        let museum = try await Museum(broker: Mosquitto())
        let broker = try await museum.broker.start()
        let server = try await museum.serve()
        try await server.waitUntil("it has subscribed") { $0.errors.contains("reports are taken from") }
        let topic = "beacond/hall-7/report"
        try await museum.broker.publish(topic, Museum.report("hall-8", second: 0))
        try await museum.broker.publish(topic, "no JSON")
        try await museum.broker.publish(topic, String(repeating: "[", count: 100_000))
        try await museum.broker.publish("beacond/hall-7/report", "")
        try await museum.broker.publish("beacond/hall.7/report", Museum.report("hall.7", second: 0))
        for size in [(1 << 20) + 1, 24 << 20] {
            try await museum.publish(Data(repeating: 0x20, count: size), to: topic)
        }
        try await museum.publish(Data([0xFF, 0x00, 0x7B]), to: topic)
        let same = Museum.report("hall-7", second: 1)
        for _ in 0..<2 { try await museum.broker.publish(topic, same) }
        try await museum.broker.publish("beacond/hall-9/report", Museum.report("hall-9", second: 2))
        let stored = try await museum.stored("the last is there") { $0.ends["hall-9"] != nil }
        #expect(stored.ends.keys.sorted() == ["hall-7", "hall-9"])
        #expect(stored.reports.map(\.host) == ["hall-7", "hall-9"])
        try await server.waitUntil("it says what was wrong") { $0.errors.contains("of another device than its topic") }
        #expect(server.errorLines.count { $0.contains("report at ") } <= 10, "\(server.errors)")
        #expect(try #require(server.residentOctets) < 400 << 20)

        // A message that stays at the broker comes with each connection.
        try await museum.broker.publish("beacond/hall-6/report", Museum.report("hall-6", second: 3), isRetained: true)
        try await museum.broker.publish("beacond/hall-9/report", Museum.report("hall-9", second: 4))
        _ = try await museum.stored("the last is there") { $0.reports.count { $0.host == "hall-9" } == 2 }
        #expect(try await server.stop().status == 0)
        _ = try await broker.stop()
    }

    @Test("a broker that sends a message without an end fills no memory, and its session is given up")
    func endless() async throws {
        let museum = try await Museum(broker: Mosquitto())
        let broker = try RunningProgram(
            "python3", ["-B", "\(Programs.project)/Tests/Peers/endless_broker.py", "\(museum.broker.port)"])
        try await broker.waitUntil("it listens") { $0.lines.first == "listens" }
        let server = try await museum.serve()
        try await broker.waitUntil("there were two messages") { $0.lines.count >= 4 }
        let connections = broker.lines.dropFirst().compactMap { line -> (session: String, octets: Int)? in
            let parts = line.split(separator: " ")
            return parts.count == 2 ? (String(parts[0]), Int(parts[1]) ?? 0) : nil
        }
        #expect(connections.map(\.session).prefix(3) == ["old", "new", "old"])
        #expect(connections.allSatisfy { $0.octets < 100 << 20 }, "\(broker.lines)")
        #expect(try #require(server.residentOctets) < 200 << 20)
        try await server.waitUntil("it says why") { $0.errors.contains("more than 16 MiB") }
        #expect(try await server.stop().status == 0)
    }

    @Test("the broker's accounts decide who may report")
    func accounts() async throws {
        let folder = try temporaryFolder("mosquitto")
        for name in ["server", "hall-1", "hall-2"] {
            let more = name == "server" ? ["-c"] : []
            _ = try await RunningProgram.run(
                Mosquitto.passwordProgram, ["-b"] + more + ["\(folder)/passwords", name, "word of \(name)"])
        }
        try "user server\ntopic read beacond/+/report\n\npattern readwrite beacond/%u/#\n"
            .write(toFile: "\(folder)/acl", atomically: true, encoding: .utf8)
        let options = "allow_anonymous false\npassword_file \(folder)/passwords\nacl_file \(folder)/acl"
        let museum = try await Museum(broker: Mosquitto(options: options, folder: folder))
        let broker = try await museum.broker.start()
        try "wrong\n".write(toFile: museum.folder.path("wrong"), atomically: true, encoding: .utf8)
        let locked = try await museum.serve(user: "server@", ["--mqtt-password-file", museum.folder.path("wrong")])
        try await locked.waitUntil("it is refused") { $0.errors.contains("--mqtt-password-file") }
        #expect(!locked.errors.contains("wrong"))
        #expect(try await locked.stop().status == 0)

        try "word of server\n".write(toFile: museum.folder.path("right"), atomically: true, encoding: .utf8)
        let server = try await museum.serve(user: "server@", ["--mqtt-password-file", museum.folder.path("right")])
        try await server.waitUntil("it has subscribed") { $0.errors.contains("reports are taken from") }
        for (user, host) in [("hall-1", "hall-2"), ("hall-2", "hall-2"), ("hall-1", "hall-1")] {
            let data = Data(Museum.report(host, second: 1).utf8)
            try await museum.publish(
                data, to: "beacond/\(host)/report", ["-u", user, "-P", "word of \(user)"])
        }
        let stored = try await museum.stored("the last is there") { $0.ends["hall-1"] != nil }
        #expect(stored.reports.map(\.host) == ["hall-1", "hall-2"])
        try await broker.waitUntil("it has refused one") { $0.errors.contains("Denied PUBLISH") }
        #expect(try await server.stop().status == 0)
        _ = try await broker.stop()
    }

    @Test(
        "a broker that asks for a certificate lets the server in that has one",
        .enabled(if: Programs.installed("openssl") != nil, "openssl is not installed"))
    func certificate() async throws {
        let certificates = try await BrokerCertificates()
        let museum = try await Museum(broker: Mosquitto(options: certificates.brokerOptions))
        let broker = try await museum.broker.start()
        let authority = ["--mqtt-ca-file", "\(certificates.folder)/ca.pem"]
        let refused = try await museum.serve(scheme: "mqtts", authority)
        try await refused.waitUntil("it says what to name") { $0.errors.contains("--mqtt-certificate-file") }
        #expect(try await refused.stop().status == 0)

        let (own, key) = ("\(certificates.folder)/client.pem", "\(certificates.folder)/client.key")
        let server = try await museum.serve(
            scheme: "mqtts", authority + ["--mqtt-certificate-file", own, "--mqtt-key-file", key])
        try await server.waitUntil("it has subscribed") { $0.errors.contains("reports are taken from") }
        try await museum.publish(
            Data(Museum.report("hall-1", second: 1).utf8), to: "beacond/hall-1/report", certificates.clientOptions)
        let stored = try await museum.stored("it is there") { $0.ends["hall-1"] != nil }
        #expect(stored.reports.map(\.host) == ["hall-1"])
        #expect(try await server.stop().status == 0)
        _ = try await broker.stop()
    }
}

/// A content server that asks for reports, with a beacon, and devices in front of it.
private final class Museum: Sendable {
    struct Stored {
        struct Report: Hashable {
            var host: String
            /// Microseconds.
            var start: Int
        }

        var reports: [Report]
        /// When the newest report of each device ended.
        var ends: [String: Double]
        /// How long visitors stayed.
        var seconds: Double
    }

    /// What a device has sent.
    struct Sent {
        /// Microseconds.
        var end: Int
        /// How long visitors stayed.
        var seconds: Double
    }

    struct Status {
        var last: String?
        var waiting: Int
        var problem: String?
    }

    let folder: TemporaryFolder
    let broker: Mosquitto
    private let port: UInt16
    private static let program = Programs.path(of: "beacon-content-server")
    private static let uuid = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
    private static let password = "correct horse battery"

    init(broker: Mosquitto) async throws {
        self.broker = broker
        folder = try TemporaryFolder()
        port = try freePort()
        let documents = [
            #"{"id":"site","kind":"site","body":{"title":"Museum","languages":["en"],"takes_reports":true}}"#,
            "{\"id\":\"beacon-1\",\"kind\":\"beacon\",\"body\":{\"name\":{\"en\":\"Whale\"},\"uuid\":\"\(Self.uuid)\","
                + "\"major\":1,\"minor\":1}}",
        ]
        try (documents.joined(separator: "\n") + "\n").write(
            toFile: folder.path("documents.jsonl"), atomically: true, encoding: .utf8)
        let zip = "from sys import argv; from zipfile import ZipFile; "
            + "ZipFile(argv[1], 'w').write(argv[2], 'curation/documents.jsonl')"
        for (program, arguments, input) in [
            ("python3", ["-c", zip, folder.path("all.zip"), folder.path("documents.jsonl")], ""),
            (Self.program, ["import", folder.path("all.zip"), "--state", folder.path("state")], ""),
            (Self.program, ["publish", "--state", folder.path("state")], ""),
            (
                Self.program, ["user", "add", "ana", "--role", "administrator", "--state", folder.path("state")],
                Self.password + "\n"
            ),
        ] {
            let end = try await RunningProgram.run(program, arguments, input: .text(input))
            try #require(end.status == 0, "\(arguments): \(end.errors)")
        }
        try StandingScene.yaml(near: "\(Self.uuid)").write(
            toFile: folder.path("standing.yaml"), atomically: true, encoding: .utf8)
    }

    func serve(
        scheme: String = "mqtt", user: String = "", _ options: [String] = []
    ) async throws -> RunningProgram {
        let server = try RunningProgram(
            Self.program,
            [
                "serve", "--state", folder.path("state"), "--listen", "127.0.0.1:\(port)", "--mqtt",
                "\(scheme)://\(user)127.0.0.1:\(broker.port)",
            ] + options)
        _ = try await Self.address(of: server)
        return server
    }

    static func address(of server: RunningProgram) async throws -> String {
        try await eventually("the server says where its pages are", state: server.errors) {
            server.lines.first { $0.hasPrefix("the pages are at ") }.map { String($0.dropFirst(17)) }
        }
    }

    func device(_ host: String) throws -> RunningProgram {
        try """
        sources: ["sim:\(folder.path("standing.yaml"))"]
        content: {base_url: "http://127.0.0.1:\(port)"}
        control: {socket: "\(folder.path(host)).sock"}
        directories: {state: "\(folder.path(host))/state", cache: "\(folder.path(host))/cache"}
        dbus: {enabled: false}
        mqtt: {url: "mqtt://127.0.0.1:\(broker.port)", host: \(host)}
        reports: {enabled: true, interval_s: 10, via: mqtt}

        """.write(toFile: folder.path("\(host).yaml"), atomically: true, encoding: .utf8)
        return try RunningProgram(
            Programs.beacond, ["--config", folder.path("\(host).yaml")],
            environment: ["BEACOND_CONTROL_SOCKET": "\(folder.path(host)).sock"])
    }

    func status(_ host: String) async throws -> Status {
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["status", "--json", "--socket", "\(folder.path(host)).sock"])
        let json = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
        let reports = json?["reports"] as? [String: Any]
        return Status(
            last: reports?["last"] as? String, waiting: reports?["waiting"] as? Int ?? 0,
            problem: reports?["problem"] as? String)
    }

    /// A report of a minute, which begins so many seconds after an hour ago.
    static func report(_ host: String, second: Int) -> String {
        let format = ISO8601DateFormatter()
        let start = Date(timeIntervalSinceNow: -3600 + Double(second) * 60)
        return "{\"format\":1,\"host\":\"\(host)\",\"period_start\":\"\(format.string(from: start))\","
            + "\"period_end\":\"\(format.string(from: start + 60))\"}"
    }

    /// The reports that a subscriber has got. A copy is the same as the first.
    static func reports(of reader: RunningProgram) -> [Stored.Report: Sent] {
        reader.lines.reduce(into: [:]) { reports, line in
            let json = try? JSONSerialization.jsonObject(with: Data(line.drop { $0 != "{" }.utf8)) as? [String: Any]
            guard let json, let host = json["host"] as? String,
                let start = (json["period_start"] as? String).flatMap({ Timestamp(rfc3339: $0) }),
                let end = (json["period_end"] as? String).flatMap({ Timestamp(rfc3339: $0) })
            else { return }
            let dwell = json["dwell"] as? [[String: Any]] ?? []
            reports[Stored.Report(host: host, start: Int(start.microseconds))] = Sent(
                end: Int(end.microseconds), seconds: dwell.reduce(0) { $0 + ($1["seconds"] as? Double ?? 0) })
        }
    }

    /// Publishes any octets.
    func publish(_ data: Data, to topic: String, _ options: [String] = []) async throws {
        let file = folder.path("message")
        try data.write(to: URL(fileURLWithPath: file))
        let end = try await RunningProgram.run(
            "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", topic, "-f", file, "-q", "1"] + options)
        #expect(end.status == 0, "\(end.errors)")
    }

    // MARK: - What the server knows

    private func taken(_ arguments: [String]) async throws -> [String: Any] {
        let end = try await RunningProgram.run(
            "python3", ["-B", "\(Programs.project)/Tests/Peers/reports_taken.py", folder.path("state")] + arguments)
        try #require(end.status == 0, "\(end.errors)")
        return try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any] ?? [:]
    }

    func state() async throws -> Stored {
        let json = try await taken([])
        let reports = (json["reports"] as? [[Any]] ?? []).compactMap { entry -> Stored.Report? in
            guard let host = entry.first as? String, let start = entry.last as? Double else { return nil }
            return Stored.Report(host: host, start: Int((start * 1e6).rounded()))
        }
        return Stored(
            reports: reports, ends: json["ends"] as? [String: Double] ?? [:], seconds: json["seconds"] as? Double ?? 0)
    }

    func stored(_ what: String, _ condition: (Stored) -> Bool) async throws -> Stored {
        try await eventually(what) {
            let state = try await state()
            return condition(state) ? state : nil
        }
    }

    func shown(at address: String) async throws -> (hosts: [String], page: String) {
        let json = try await taken([address, "ana", Self.password])
        let devices = (json["devices"] as? [String: Any])?["devices"] as? [[String: Any]] ?? []
        return (devices.compactMap { $0["host"] as? String }, json["page"] as? String ?? "")
    }
}
