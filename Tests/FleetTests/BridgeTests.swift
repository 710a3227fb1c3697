import Beacon
import Broker
import Fleet
import FleetFormat
import Rooms
import Testing

private let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

/// A bridge, and what the broker retains of it.
private struct Bench {
    var bridge: FleetBridge
    var retained: [String: String] = [:]
    var levels: [(host: String, message: LevelsMessage)] = []
    var second = 1_767_225_600
    var clock = FleetClock.State()

    init(places: [ScannerPlace] = []) {
        bridge = FleetBridge(prefix: "beacond", name: "bridge", places: places, espresense: "espresense")
        bridge.connect()
    }

    var time: Timestamp { Timestamp(seconds: Double(second) + 0.5) }

    mutating func say(_ topic: String, _ payload: String) {
        bridge.take("espresense/\(topic)", Array(payload.utf8), at: time, now: Double(second))
    }

    mutating func hear(_ node: String, minor: Int = 2, rssi: Int = -70) {
        say(
            "devices/iBeacon:\(uuid)-1-\(minor)/\(node)",
            #"{"id":"x","rssi@1m":-59,"rssi":\#(rssi),"distance":2.5,"int":100}"#)
    }

    mutating func pass(_ seconds: Int = 1) throws {
        for _ in 0..<seconds {
            second += 1
            for publication in bridge.tick(at: time, now: Double(second), clock: clock, isSettled: true) {
                #expect(!publication.isRetained)
                let host = String(publication.topic.split(separator: "/")[1])
                levels.append((host, try LevelsMessage(json: Array(publication.payload.utf8))))
            }
            while let publication = bridge.nextState() { retained[publication.topic] = publication.payload }
        }
    }

    func scanner(_ host: String) throws -> ScannerMessage {
        try ScannerMessage(json: Array((retained["beacond/\(host)/scanner"] ?? "").utf8), host: host)
    }
}

@Suite struct BridgeTests {
    @Test("a node of ESPresense becomes a scanner in a room of its name, with what it hears second by second")
    func node() throws {
        var bench = Bench()
        bench.say("rooms/kitchen/status", "online")
        bench.say("rooms/kitchen/telemetry", #"{"ip":"10.0.0.7","uptime":5,"ver":"v3.3.5"}"#)
        bench.hear("kitchen")
        try bench.pass(2)
        let state = try bench.scanner("kitchen")
        #expect(state.place == ScannerPlace(scanner: "kitchen", room: "kitchen"))
        #expect(!state.isBlind && state.version == "v3.3.5" && state.bridge == "bridge")
        #expect(bench.retained["beacond/kitchen/status"] == "online")
        #expect(bench.retained["beacond/bridge/status"] == "online")
        let row = try #require(bench.levels.first?.message.rows.first)
        #expect(row.level == -70 && row.beacon == BeaconID("\(uuid)/1/2"))
    }

    @Test("nodes whose names are not ASCII are scanners of their own")
    func arabic() throws {
        var bench = Bench()
        for node in ["قاعة", "مطعم", "küche", "k_che"] { bench.hear(node) }
        try bench.pass()
        let rooms = try bench.retained.keys.filter { $0.hasSuffix("/scanner") }
            .map { try bench.scanner(String($0.split(separator: "/")[1])).place?.room }
        #expect(Set(rooms) == ["قاعة", "مطعم", "küche", "k_che"])
    }

    @Test("a node with the name of a scanner is left out, until the scanner's state is removed")
    func taken() throws {
        var bench = Bench()
        func say(_ payload: String) {
            bench.bridge.take("beacond/pi-0/scanner", Array(payload.utf8), at: bench.time, now: 0)
        }
        say(#"{"scanner":"ok","room":"Hall 1","floor":0,"x":1,"y":2}"#)
        for _ in 0..<3 {
            bench.hear("pi-0")
            try bench.pass()
        }
        #expect(bench.retained["beacond/pi-0/scanner"] == nil && bench.levels.isEmpty)
        let notices = bench.bridge.takeNotices()
        #expect(notices.count == 1 && notices[0].hasPrefix("pi-0 is left out"), "\(notices)")
        say("")
        bench.hear("pi-0")
        try bench.pass()
        #expect(try bench.scanner("pi-0").bridge == "bridge")
    }

    @Test("its readings come only when they change, and count for six seconds")
    func hold() throws {
        var bench = Bench()
        bench.hear("kitchen")
        try bench.pass(15)
        let heard = bench.levels.map { !$0.message.rows.isEmpty }
        #expect(heard.count == 14)
        #expect(heard.prefix { $0 }.count == 5)
        #expect(heard.dropFirst(5).allSatisfy { !$0 })
        #expect(bench.levels[4].message.rows.first.map { $0.age > 3 } == true)
        #expect(bench.levels[1..<5].allSatisfy { $0.message.rows.first?.count == 1 })
    }

    @Test("places come from the file, also for names that a topic cannot have")
    func places() throws {
        let place = ScannerPlace(scanner: "Küche", room: "قاعة", floor: 1, position: Position(x: 1, y: 2))
        var bench = Bench(places: [place])
        bench.hear("Küche")
        bench.hear("attic")
        try bench.pass()
        let host = try #require(bench.retained.keys.first { $0.hasSuffix("/scanner") && !$0.contains("attic") })
        let name = String(host.split(separator: "/")[1])
        #expect(
            try bench.scanner(name).place
                == ScannerPlace(scanner: name, room: "قاعة", floor: 1, position: Position(x: 1, y: 2)))
        #expect(bench.bridge.takeNotices().contains { $0.contains("attic has no place in the file") })
    }

    @Test(
        "a node that goes offline, or says nothing for a minute, is no scanner any more, and comes back",
        arguments: [true, false])
    func offline(saysSo: Bool) throws {
        var bench = Bench()
        bench.hear("kitchen")
        try bench.pass(3)
        if saysSo { bench.say("rooms/kitchen/status", "offline") } else { try bench.pass(62) }
        try bench.pass()
        #expect(bench.retained["beacond/kitchen/status"] == "offline")
        #expect(try bench.scanner("kitchen").isBlind)
        let count = bench.levels.count
        try bench.pass(5)
        #expect(bench.levels.count == count)
        bench.hear("kitchen")
        try bench.pass(2)
        #expect(bench.retained["beacond/kitchen/status"] == "online")
        #expect(bench.levels.count > count)
    }

    @Test("a proxy whose scanner has stopped is blind, and says so each second")
    func blind() throws {
        var bench = Bench()
        bench.bridge.begin("proxy", source: "esphome:10.0.0.7:6053", version: "2026.9.1", at: bench.time)
        try bench.pass(3)
        bench.bridge.blind("proxy", "its scanner has stopped", at: bench.time)
        try bench.pass(2)
        #expect(bench.levels.map(\.message.isBlind) == [false, false, true, true])
        #expect(try bench.scanner("proxy").blindSince != nil)
        #expect(bench.bridge.takeNotices().last == "proxy: its scanner has stopped")
    }

    @Test("the fleet's clock counts for nodes, too")
    func clock() throws {
        var bench = Bench()
        bench.clock = .init(milliseconds: 10_000, isSynchronised: false)
        bench.hear("kitchen")
        try bench.pass(2)
        #expect(bench.levels.first?.message.clock == 10_000)
        #expect(bench.levels.first?.message.correctedSecond == Int64(bench.second - 1 + 10))
        #expect(try bench.scanner("kitchen").clock == 10_000)
    }

    @Test("a node of a former run, which was killed, is offline a minute later where it says nothing any more")
    func former() throws {
        var bench = Bench()
        for (host, bridge) in [("attic", "bridge"), ("cellar", "another"), ("kitchen", "bridge")] {
            let state = #"{"scanner":"ok","room":"A","bridge":"\#(bridge)"}"#
            bench.bridge.take(
                "beacond/\(host)/scanner", Array(state.utf8), at: bench.time, now: Double(bench.second))
        }
        bench.hear("kitchen")
        try bench.pass(50)
        bench.hear("kitchen")
        #expect(bench.retained["beacond/attic/status"] == nil)
        try bench.pass(15)
        #expect(bench.retained["beacond/attic/status"] == "offline")
        #expect(bench.retained["beacond/cellar/status"] == nil)
        #expect(bench.retained["beacond/kitchen/status"] == "online")
        let notices = bench.bridge.takeNotices()
        #expect(notices.contains { $0.hasPrefix("attic was there before this program was started") }, "\(notices)")
        bench.hear("attic")
        try bench.pass()
        #expect(bench.retained["beacond/attic/status"] == "online")
    }

    @Test("an orderly end leaves everybody offline")
    func end() throws {
        var bench = Bench()
        bench.hear("kitchen")
        try bench.pass(2)
        bench.bridge.end()
        try bench.pass()
        #expect(bench.retained["beacond/kitchen/status"] == "offline")
        #expect(bench.retained["beacond/bridge/status"] == "offline")
    }

    @Test("nonsense, and what is no iBeacon, changes nothing of what is received before and after it", arguments: [
            ("devices/phone:me/kitchen", "{}"), ("devices/iBeacon:1-2/kitchen", "{}"),
            ("devices/iBeacon:\(uuid)-1-70000/kitchen", "{}"),
        ("devices/iBeacon:\(uuid)-1-2/kitchen", "{}"), ("devices/iBeacon:\(uuid)-1-2/kitchen", #"{"rssi":"loud"}"#),
        ("devices/iBeacon:\(uuid)-1-2/kitchen", #"{"rssi":1e300}"#), ("devices/iBeacon:\(uuid)-1-2/", #"{"rssi":-60}"#),
        ("devices/iBeacon:\(uuid)-1-2/\(String(repeating: "x", count: 5000))", #"{"rssi":-60}"#),
        ("rooms/kitchen/telemetry", "null"), ("rooms/kitchen/max_distance", "16"), ("settings/x/config", "{}"),
    ])
    func nonsense(topic: String, payload: String) throws {
        var bench = Bench()
        bench.hear("kitchen", rssi: -70)
        try bench.pass(2)
        bench.say(topic, payload)
        try bench.pass(2)
        bench.hear("kitchen", rssi: -65)
        try bench.pass(2)
        let beacon = try #require(BeaconID("\(uuid)/1/2"))
        #expect(bench.levels.map(\.host) == Array(repeating: "kitchen", count: 5))
        #expect(bench.levels.map { $0.message.rows.map(\.level) } == [[-70], [-70], [-70], [-65], [-65]])
        #expect(bench.levels.allSatisfy { $0.message.rows.map(\.beacon) == [beacon] })
    }

    @Test("a new node takes the place of the one that has been gone longest, which the broker forgets as well")
    func newNode() throws {
        var bench = Bench()
        for number in 0..<FleetBridge.mostNodes {
            bench.say("rooms/node-\(number)/status", "online")
        }
        try bench.pass()
        // The fourth goes first, and the first one last.
        bench.say("rooms/node-3/status", "offline")
        try bench.pass()
        for number in (0..<FleetBridge.mostNodes).reversed() where number != 3 {
            bench.say("rooms/node-\(number)/status", "offline")
        }
        try bench.pass()
        bench.hear("new")
        try bench.pass(2)
        #expect(bench.retained["beacond/new/status"] == "online")
        #expect(bench.retained["beacond/node-3/status"] == "" && bench.retained["beacond/node-3/scanner"] == "")
        #expect(bench.retained["beacond/node-0/status"] == "offline")
        #expect(bench.levels.contains { $0.host == "new" })
        // It comes back like any other one, in the place of another.
        bench.hear("node-3")
        try bench.pass(2)
        #expect(bench.retained["beacond/node-3/status"] == "online")
        let known = bench.retained.filter { $0.key.hasSuffix("/scanner") && !$0.value.isEmpty }
        #expect(known.count == FleetBridge.mostNodes)
    }

    @Test("a node with a place and a proxy go only when no other node is gone, however long they have been gone")
    func configuredNode() throws {
        var bench = Bench(places: [ScannerPlace(scanner: "hall", room: "Hall")])
        bench.hear("hall")
        bench.bridge.begin("proxy", source: "esphome:10.0.0.7:6053", version: nil, at: bench.time)
        for number in 2..<FleetBridge.mostNodes { bench.hear("node-\(number)") }
        try bench.pass()
        bench.say("rooms/hall/status", "offline")
        bench.bridge.lose("proxy", "the connection failed", at: bench.time)
        try bench.pass()
        bench.say("rooms/node-7/status", "offline")
        bench.hear("new")
        try bench.pass()
        #expect(bench.retained["beacond/new/status"] == "online")
        #expect(bench.retained["beacond/node-7/status"] == "")
        #expect(bench.retained["beacond/hall/status"] == "offline")
        #expect(bench.retained["beacond/proxy/status"] == "offline")
        for name in ["newer", "newest"] { bench.hear(name) }
        try bench.pass()
        #expect(bench.retained["beacond/hall/status"] == "" && bench.retained["beacond/proxy/status"] == "")
        #expect(bench.retained["beacond/newer/status"] == "online")
        #expect(bench.retained["beacond/newest/status"] == "online")
    }

    @Test("where as many nodes as there is room for are listening, one line says which is left out, and what to do")
    func full() throws {
        var bench = Bench()
        for number in 0..<FleetBridge.mostNodes {
            bench.hear("node-\(number)")
        }
        try bench.pass()
        _ = bench.bridge.takeNotices()
        for name in ["new", "newer"] { bench.hear(name) }
        try bench.pass()
        let notices = bench.bridge.takeNotices()
        #expect(notices.count == 1 && notices[0].hasPrefix("new is left out, and so are others"), "\(notices)")
        #expect(notices.first?.contains("at most \(FleetBridge.mostNodes) nodes") == true)
        #expect(bench.retained["beacond/new/scanner"] == nil)
        #expect(bench.retained["beacond/node-0/status"] == "online")
    }

    @Test("a flood of nodes and beacons is bounded, and the first nodes are still received")
    func flood() throws {
        var bench = Bench()
        for number in 0..<2000 { bench.hear("node-\(number)") }
        for number in 0..<20_000 { bench.hear("node-1", minor: number) }
        try bench.pass(2)
        #expect(bench.retained.keys.filter { $0.hasSuffix("/scanner") }.count == FleetBridge.mostNodes)
        let rows = Dictionary(bench.levels.map { ($0.host, $0.message.rows.count) }) { $0 + $1 }
        #expect(rows.count == FleetBridge.mostNodes && rows["node-0"] == 1)
        #expect(rows["node-1"] == LevelsMessage.mostRows)
        #expect((1...100).contains(bench.bridge.takeNotices().count))
    }
}
