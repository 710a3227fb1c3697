import Beacon
import Broker
import Fleet
import FleetFormat
import Rooms
import TestSupport
import Testing

/// Resolvers at one broker, in a building of five rooms in which twenty beacons wander.
private struct Building {
    private let topics: FleetTopics
    private var random = SeededGenerator(seed: 3)
    private var positions = (0..<20).map { Double($0) * 2 }
    private(set) var retained: [String: String] = [:]
    private(set) var resolvers: [String: FleetResolver] = [:]
    /// What each resolver has published of rooms, in order.
    private(set) var told: [String: [Publication]] = [:]
    private(set) var second: Int64 = 1_767_225_600
    private var clock = 0.0

    init(shard: FleetShard? = nil) {
        topics = FleetTopics(prefix: "beacond", shard: shard)
        for column in 0..<5 {
            let state = #"{"scanner":"ok","room":"Room \#(column)","floor":0,"x":\#(column * 8),"y":0}"#
            publish("beacond/pi-\(column)/scanner", state, isRetained: true)
        }
    }

    mutating func start(_ name: String, shard: FleetShard? = nil) {
        var resolver = FleetResolver(prefix: "beacond", name: name, shard: shard)
        resolver.connect(at: clock)
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) where wants(resolver, topic) {
            resolver.take(topic, Array(payload.utf8), at: clock)
        }
        resolvers[name] = resolver
        deliver()
    }

    /// The connection is lost, and is there again. Meanwhile somebody has removed these messages.
    mutating func reconnect(_ name: String, without removed: [String]) {
        for topic in removed { retained[topic] = nil }
        resolvers[name]?.connect(at: clock)
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key })
        where topic != "beacond/fleet/resolvers/\(name)" {
            resolvers[name]?.take(topic, Array(payload.utf8), at: clock)
        }
        deliver()
    }

    /// Something that people have published.
    mutating func tell(_ topic: String, _ payload: String) { publish(topic, payload, isRetained: true) }

    /// As the broker does with subscriptions.
    private func wants(_ resolver: FleetResolver, _ topic: String) -> Bool {
        let levels = topic.split(separator: "/")
        return resolver.topics.subscriptions.contains { subscription in
            let wanted = subscription.split(separator: "/")
            return wanted.count == levels.count && zip(wanted, levels).allSatisfy { $0 == "+" || $0 == $1 }
        }
    }

    mutating func kill(_ name: String) {
        resolvers[name] = nil
        publish("beacond/fleet/resolvers/\(name)", "offline", isRetained: true)
    }

    private mutating func publish(_ topic: String, _ payload: String, isRetained: Bool = false) {
        if isRetained { retained[topic] = payload.isEmpty ? nil : payload }
        for name in resolvers.keys.sorted() {
            guard let resolver = resolvers[name], wants(resolver, topic) else { continue }
            resolvers[name]?.take(topic, Array(payload.utf8), at: clock)
        }
    }

    private mutating func deliver() {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for name in resolvers.keys.sorted() {
                while let message = resolvers[name]?.nextPublication() {
                    isQuiet = false
                    if message.topic.hasPrefix("beacond/rooms/") { told[name, default: []].append(message) }
                    publish(message.topic, message.payload, isRetained: true)
                }
            }
        }
    }

    mutating func forgetTold() { told = [:] }

    mutating func pass(_ seconds: Int) {
        for _ in 0..<seconds {
            for index in positions.indices where index % 2 == 0 {
                positions[index] = min(36, max(-4, positions[index] + .random(in: -1.5...1.5, using: &random)))
            }
            for column in 0..<5 {
                let rows = positions.enumerated().compactMap { index, x -> LevelsMessage.Row? in
                    let level = -52 - abs(Double(column) * 8 - x) * 2 + .random(in: -6...6, using: &random)
                    let isSilent = index % 5 == 0 && (second / 120).isMultiple(of: 2)
                    return level < -94 || isSilent
                        ? nil
                        : LevelsMessage.Row(
                            beacon: BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(index)),
                            level: level.rounded(),
                            variance: 4, count: 5, age: 0.1)
                }
                publish("beacond/pi-\(column)/levels", LevelsMessage(second: second, isBlind: false, rows: rows).json)
            }
            second += 1
            clock += 1
            for name in resolvers.keys.sorted() { resolvers[name]?.resolve(at: clock) }
            deliver()
        }
    }

    /// The scanners that the outputs of a resolver show.
    mutating func shownScanners(_ name: String) -> [String] {
        resolvers[name]?.snapshot(at: clock, time: Timestamp(seconds: Double(second))).scanners.map(\.place.scanner)
            ?? []
    }

    var checkpoint: String? { retained[topics.checkpoint(0)] }

    func isAnswering(_ name: String) -> Bool { resolvers[name]?.isAnswering == true }
}

@Suite(.serialized) struct HandoverTests {
    @Test("a resolver that was killed is soon back, and from then on tells the same as the other, byte by byte")
    func back() throws {
        var building = Building()
        building.start("a")
        building.pass(20)
        building.start("b")
        building.pass(400)
        #expect(building.isAnswering("a") && building.isAnswering("b"))
        building.kill("b")
        building.pass(45)
        building.start("b")
        var seconds = 0
        while !building.isAnswering("b"), seconds < 200 {
            building.pass(1)
            seconds += 1
        }
        // Until the end of the minute, and a few seconds for what is under way.
        #expect(seconds < 66)
        building.forgetTold()
        building.pass(900)
        let (one, other) = (building.told["a"] ?? [], building.told["b"] ?? [])
        #expect(one.count > 100)
        #expect(one == other)
        #expect(building.resolvers["a"]?.answers == building.resolvers["b"]?.answers)
    }

    @Test("what was removed while it was away is forgotten: one that starts then has the same map, and takes over")
    func removedMeanwhile() throws {
        var building = Building()
        let outline = RoomOutline(
            room: .init(name: "Room 0", floor: 0),
            corners: [(-4, -4), (4, -4), (4, 4), (-4, 4)].map { Position(x: $0.0, y: $0.1) })
        building.tell("beacond/fleet/plan", PlanMessage.json([outline]))
        let taught = TaughtRoom(room: .init(name: "Attic", floor: 0), spots: [["pi-0": 20, "pi-1": 25]])
        building.tell("beacond/fleet/taught/a1", TaughtRoomMessage.json(taught))
        building.start("a")
        building.pass(130)
        building.reconnect("a", without: ["beacond/pi-3/scanner", "beacond/fleet/plan", "beacond/fleet/taught/a1"])
        // What is still there is no news.
        building.pass(10)
        #expect(building.resolvers["a"]?.scanners.count == 5)
        building.pass(Int(FleetResolver.confirmation))
        #expect(building.resolvers["a"]?.scanners.map(\.scanner) == ["pi-0", "pi-1", "pi-2", "pi-4"])
        building.start("b")
        // Soon, as it is only with a checkpoint of the same map.
        building.pass(80)
        #expect(building.isAnswering("a") && building.isAnswering("b"))
        building.forgetTold()
        building.pass(300)
        #expect(building.told["a"]?.isEmpty == false && building.told["a"] == building.told["b"])
        #expect(building.resolvers["a"]?.answers == building.resolvers["b"]?.answers)
        let rooms = Set(building.resolvers["a"]?.answers.compactMap { $0.room?.name } ?? [])
        #expect(!rooms.isEmpty && rooms.isDisjoint(with: ["Room 3", "Attic"]))
        let shown = building.shownScanners("a")
        #expect(shown == ["pi-0", "pi-1", "pi-2", "pi-4"])
    }

    @Test("a broker that has forgotten everything gets it again, and no scanner is dropped meanwhile")
    func forgetfulBroker() throws {
        var building = Building()
        building.start("a")
        building.pass(130)
        let states = building.retained.filter { $0.key.hasSuffix("/scanner") }
        building.reconnect("a", without: Array(building.retained.keys))
        let before = try #require(building.resolvers["a"]?.answers)
        building.pass(15)
        for answer in before where answer.room != nil {
            #expect(building.retained["beacond/rooms/\(answer.beacon)"] != nil, "\(answer.beacon)")
        }
        for (topic, payload) in states { building.tell(topic, payload) }
        building.pass(1)
        #expect(building.resolvers["a"]?.scanners.count == 5)
        building.pass(60)
        #expect(building.resolvers["a"]?.scanners.count == 5)
        #expect(building.resolvers["a"]?.answers.count == before.count)
        #expect(building.checkpoint != nil)
    }

    @Test("alone, it goes on from the checkpoint that it has left")
    func alone() throws {
        var building = Building()
        building.start("a")
        building.pass(300)
        let before = try #require(building.resolvers["a"]?.answers)
        building.kill("a")
        building.pass(5)
        building.start("a")
        building.forgetTold()
        building.pass(5)
        let after = try #require(building.resolvers["a"]?.answers)
        #expect(building.isAnswering("a"))
        #expect(after.count == before.count)
        #expect(zip(before, after).count { $0.room == $1.room && $0.since == $1.since } >= before.count - 3)
    }

    @Test("a checkpoint is read as it was written, in parts as large as a broker takes")
    func message() throws {
        var building = Building()
        building.start("a")
        building.pass(190)
        let json = try #require(building.checkpoint)
        let part = try CheckpointMessage.part(json: Array(json.utf8))
        #expect(part.part == 0 && part.parts == 1 && part.checkpoint.followed.count == 20)
        #expect(CheckpointMessage.parts(part.checkpoint) == [json])
        var large = part.checkpoint
        large.followed = (0..<2000).map { index in
            var followed = part.checkpoint.followed[index % 20]
            followed.beacon.major = UInt16(index)
            return followed
        }
        let parts = CheckpointMessage.parts(large)
        #expect(parts.count > 5)
        var collector = CheckpointCollector()
        for text in parts.reversed() {
            #expect(collector.checkpoint == nil)
            #expect(text.utf8.count <= CheckpointMessage.mostBytes)
            collector.take(try CheckpointMessage.part(json: Array(text.utf8)))
        }
        #expect(collector.checkpoint == large)
    }

    @Test("what is no checkpoint is refused with a reason", arguments: [
        "", "{}", #"{"form":2}"#,
        #"{"form":1,"second":1,"part":1,"parts":1,"map":"","scanners":[],"beacons":[]}"#,
        #"{"form":1,"second":-1,"part":0,"parts":1,"map":"","scanners":[],"beacons":[]}"#,
        #"{"form":1,"second":1,"part":0,"parts":1,"map":"","scanners":[],"beacons":[{"uuid":"x"}]}"#,
    ])
    func refused(json: String) {
        #expect(throws: FleetMessageError.self) { try CheckpointMessage.part(json: Array(json.utf8)) }
    }

    @Test("parts of the beacons are told by a resolver each, and rooms are counted over all of them")
    func shards() throws {
        var building = Building()
        let parts = ["1/3", "2/3", "3/3"].compactMap(FleetShard.init)
        for (name, part) in zip(["a", "b", "c"], parts) { building.start(name, shard: part) }
        building.pass(130)
        for name in ["a", "b", "c"] {
            #expect(building.isAnswering(name))
            let own = try #require(building.told[name]?.map(\.topic))
            #expect(own.count > 0)
            for other in ["a", "b", "c"] where other != name {
                #expect(Set(own).isDisjoint(with: building.told[other]?.map(\.topic) ?? []))
            }
            #expect(building.resolvers[name]?.answers.count == 20)
        }
        building.kill("b")
        building.pass(20)
        building.start("b", shard: parts[1])
        building.pass(5)
        // Nobody else tells of its part, so it has nobody to wait for.
        #expect(building.isAnswering("b"))
    }

    @Test("every beacon is of exactly one part, and parts are about equal", arguments: [1, 2, 3, 7, 64])
    func parts(count: Int) throws {
        let parts = try (1...count).map { try #require(FleetShard("\($0)/\(count)")) }
        var sizes = Array(repeating: 0, count: count)
        for minor in 0..<UInt16(6400) {
            let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: minor)
            let owners = parts.indices.filter { parts[$0].has(beacon) }
            #expect(owners.count == 1)
            for owner in owners { sizes[owner] += 1 }
        }
        #expect(sizes.allSatisfy { abs($0 - 6400 / count) < 6400 / count / 2 }, "\(sizes)")
    }

    @Test("what is no part is refused", arguments: ["", "0/3", "4/3", "1", "1/65", "01/3", "1/3/4", "a/b", "-1/3"])
    func noPart(text: String) {
        #expect(FleetShard(text) == nil)
        #expect(ResolverPresence(Array("answering \(text) x".utf8)) == nil)
    }
}
