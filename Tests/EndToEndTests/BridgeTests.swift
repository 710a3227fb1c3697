import Foundation
import TestSupport
import Testing

@Suite(
    "beacon-fleet bridge", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
struct BridgeTests {
    private let mosquitto: Mosquitto

    init() throws {
        mosquitto = try Mosquitto()
    }

    private func bridge(_ options: [String]) throws -> RunningProgram {
        try RunningProgram(
            Programs.path(of: "beacon-fleet"),
            ["bridge", "--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)", "--name", "bridge"] + options)
    }

    @Test("ESPresense nodes are scanners: a beacon is in the room of the node that hears it best")
    func espresense() async throws {
        let broker = try await mosquitto.start()
        let subscriber = try mosquitto.subscriber("beacond/#")
        let places = try temporaryFolder("bridge") + "/places.yaml"
        try "- {scanner: kitchen, room: Kitchen, x: 0, y: 0}\n- {scanner: attic, room: Attic, x: 12, y: 0}\n"
            .write(toFile: places, atomically: true, encoding: .utf8)
        let resolver = try RunningProgram(
            Programs.path(of: "beacon-fleet"), ["run", "--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)", "--name", "one"])
        let id = "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-1-1"
        try await mosquitto.publish("espresense/rooms/kitchen/status", "online", isRetained: true)
        try await mosquitto.publish("espresense/rooms/attic/status", "online", isRetained: true)
        func isUnknown(_ reason: String, _ subscriber: RunningProgram) -> Bool {
            FleetHall.answer(of: 1, subscriber.lines)?.contains(#""unknown":"\#(reason)""#) == true
        }
        // A busy machine may kill it only when nobody has spoken for seconds: then the beacon is not heard.
        for _ in 0..<5 where !isUnknown("blind", subscriber) {
            let bridge = try bridge(["--espresense", "--places", places])
            try await waitUntil("the beacon is in the kitchen") {
                try await mosquitto.publish(
                    "espresense/devices/\(id)/kitchen", #"{"id":"\#(id)","rssi@1m":-59,"rssi":-62,"distance":1.4}"#)
                try await mosquitto.publish(
                    "espresense/devices/\(id)/attic", #"{"id":"\#(id)","rssi@1m":-59,"rssi":-85,"distance":9}"#)
                try await Task.sleep(for: .seconds(1))
                return FleetHall.room(of: 1, subscriber.lines) == "Kitchen"
            }
            // Killed: the broker says that it is gone, and nobody hears the beacon any more.
            _ = try await bridge.stop(with: SIGKILL)
            try await subscriber.waitUntil("nobody can hear the beacon") {
                isUnknown("blind", $0) || isUnknown("not heard", $0)
            }
        }
        #expect(isUnknown("blind", subscriber))
        func isWhole(_ list: RunningProgram.Outcome) -> Bool {
            list.lines.dropFirst().allSatisfy { $0.contains(",offline,") } && list.lines.count == 3
        }
        let list = try await FleetHall.listing(
            ["--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)", "--format", "csv"], until: isWhole)
        #expect(isWhole(list), "\(list.output)")
        _ = try await resolver.stop()
        _ = try await broker.stop()
    }

    @Test(
        "a Bluetooth proxy of ESPHome is a scanner, with and without encryption; ESPHome's own reader understands us",
        .enabled(if: ESPHomePeer.absence == nil, "\(ESPHomePeer.absence ?? "")"), arguments: [false, true])
    func proxy(isEncrypted: Bool) async throws {
        let broker = try await mosquitto.start()
        let subscriber = try mosquitto.subscriber("beacond/#")
        let peer = try ESPHomePeer()
        var proxy = try await peer.start(isEncrypted ? ["--key", ESPHomePeer.key] : [])
        let keys = try temporaryFolder("bridge") + "/keys"
        // With the line ends of Windows.
        try "# the proxies' keys\r\n127.0.0.1 \(ESPHomePeer.key)\r\n"
            .write(toFile: keys, atomically: true, encoding: .utf8)
        let bridge = try bridge(
            ["--esphome", "127.0.0.1:\(peer.port)"] + (isEncrypted ? ["--encryption-key-file", keys] : []))
        try await subscriber.waitUntil("its levels come") {
            $0.lines.contains {
                $0.contains("beacond/proxy-hall/levels ") && $0.contains("[1,1,-60.0,") && $0.contains("[1,2,-80.0,")
            }
        }
        #expect(
            proxy.lines.contains {
                $0.contains(#""message": "HelloRequest", "client_info": "bridge", "api_version_major": 1"#)
            })
        #expect(proxy.lines.contains { $0.contains(#""message": "DeviceInfoRequest""#) })
        #expect(
            proxy.lines.contains { $0.contains(#""message": "SubscribeBluetoothLEAdvertisementsRequest", "flags": 1"#) }
        )
        #expect(!proxy.lines.contains { $0.contains(#""message": "error""#) })
        try await subscriber.waitUntil("its state is told") { subscriber in
            let state = subscriber.lines.last { $0.contains("beacond/proxy-hall/scanner ") } ?? ""
            let parts = [#""scanner":"ok""#, #""version":"2026.9.1""#, #""bridge":"bridge""#]
            return parts.allSatisfy { state.contains($0) }
        }

        // The proxy restarts.
        _ = try await proxy.stop(with: SIGKILL)
        try await subscriber.waitUntil("it is offline") {
            $0.lines.last { $0.contains("beacond/proxy-hall/status ") }?.hasSuffix(" offline") == true
        }
        proxy = try await peer.start(isEncrypted ? ["--key", ESPHomePeer.key] : [])
        try await subscriber.waitUntil("it is back") {
            $0.lines.last { $0.contains("beacond/proxy-hall/status ") }?.hasSuffix(" online") == true
        }
        #expect(try await bridge.stop().status == 0)
        try await subscriber.waitUntil("an orderly end says so") {
            $0.lines.last { $0.contains("beacond/proxy-hall/status ") }?.hasSuffix(" offline") == true
        }
        _ = try await proxy.stop(with: SIGKILL)
        _ = try await broker.stop()
    }

    @Test(
        "what is wrong with a proxy is said, and nothing of it stalls the others",
        .enabled(if: ESPHomePeer.absence == nil, "\(ESPHomePeer.absence ?? "")"),
        arguments: [
            (["--features", "0"], "add bluetooth_proxy:", false), (["--fault", "password"], "wants a password", false),
            (["--fault", "garbage"], "is not ESPHome's native API", false),
            (["--fault", "huge"], "which no proxy does", false),
            (["--key", ESPHomePeer.key], "wants encryption", false), ([], "does not encrypt", true),
            (["--key", Data(repeating: 1, count: 32).base64EncodedString()], "has another encryption key", true),
        ])
    func faults(options: [String], reason: String, isEncrypted: Bool) async throws {
        let broker = try await mosquitto.start()
        let subscriber = try mosquitto.subscriber("beacond/#")
        let (bad, good) = (try ESPHomePeer(), try ESPHomePeer())
        let proxies = [
            try await bad.start(options + ["--name", "bad"]),
            try await good.start(["--name", "good"]),
        ]
        let keys = try temporaryFolder("bridge") + "/keys"
        try "127.0.0.1:\(bad.port) \(ESPHomePeer.key)\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let bridge = try bridge(
            ["--esphome", "127.0.0.1:\(bad.port)", "--esphome", "127.0.0.1:\(good.port)"]
                + (isEncrypted ? ["--encryption-key-file", keys] : []))
        try await bridge.waitUntil("it says what is wrong") {
            $0.errors.contains("127.0.0.1:\(bad.port): ") && $0.errors.contains(reason)
        }
        try await subscriber.waitUntil("the other one is heard") {
            $0.lines.contains { $0.contains("beacond/good/levels ") && $0.contains("[1,1,-60.0,") }
        }
        _ = try await bridge.stop()
        for proxy in proxies { _ = try await proxy.stop(with: SIGKILL) }
        _ = try await broker.stop()
    }

    @Test("mistakes in its options are told before anything begins", arguments: [
            ([], "--espresense"), (["--espresense", "a/#"], "--espresense"),
            (["--espresense", "beacond"], "--topic-prefix"),
            (["--esphome", "a:b"], "--esphome"),
            (["--esphome", "a", "--encryption-key-file", "/no/such/file"], "/no/such/file"),
        (["--esphome", "a", "--encryption-key-file", "/dev/null"], "has no key"),
        (["--espresense", "--places", "/no/such/file"], "/no/such/file"),
    ])
    func mistakes(options: [String], named: String) async throws {
        let run = try await bridge(options).wait()
        #expect(run.status == 2)
        #expect(run.errors.contains(named), "\(run.errors)")
    }
}
